// Paths carry /api/v1 already, so requests go to the host root whatever server the description names.
SwaggerUIBundle({
  url: "/api/v1/openapi.json",
  dom_id: "#reference",
  deepLinking: true,
  persistAuthorization: true,
  docExpansion: "list",
  defaultModelsExpandDepth: 0,
});
