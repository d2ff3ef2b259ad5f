// Routes that take files take JSON, too; of a body of several content types, orval writes code that does not compile.
export default {
  comanda: {
    input: "openapi.json",
    output: {
      target: "generated/orval.ts",
      client: "fetch",
      override: { contentType: { include: ["application/json"] } },
    },
  },
};
