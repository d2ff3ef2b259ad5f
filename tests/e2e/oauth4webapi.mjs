// A whole authorization with oauth4webapi: discovery, PKCE, the issuer of the answer, refresh, introspection, revocation.
import { createInterface } from "node:readline";
import * as oauth from "oauth4webapi";

const [site, clientId, secret, redirectUri, menu] = process.argv.slice(2);
const insecure = { [oauth.allowInsecureRequests]: true };
const issuer = new URL(site);
const server = await oauth.processDiscoveryResponse(
  issuer,
  await oauth.discoveryRequest(issuer, { algorithm: "oauth2", ...insecure }),
);
const client = { client_id: clientId };
const authentication = oauth.ClientSecretBasic(secret);
const verifier = oauth.generateRandomCodeVerifier();
const state = oauth.generateRandomState();

const url = new URL(server.authorization_endpoint);
url.search = new URLSearchParams({
  response_type: "code",
  client_id: clientId,
  redirect_uri: redirectUri,
  scope: "menu:read",
  state,
  code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
  code_challenge_method: "S256",
  expiring: "1",
});
console.log(url.href);

const answer = await new Promise((resolve) => createInterface(process.stdin).once("line", resolve));
const parameters = oauth.validateAuthResponse(server, client, new URL(answer), state);
const granted = await oauth.processAuthorizationCodeResponse(
  server,
  client,
  await oauth.authorizationCodeGrantRequest(server, client, authentication, parameters, redirectUri, verifier, insecure),
);
const read = (token) => oauth.protectedResourceRequest(token, "GET", new URL(menu), undefined, undefined, insecure);
console.log((await read(granted.access_token)).status);

const refreshed = await oauth.processRefreshTokenResponse(
  server,
  client,
  await oauth.refreshTokenGrantRequest(server, client, authentication, granted.refresh_token, insecure),
);
console.log((await read(refreshed.access_token)).status);

const shown = await oauth.processIntrospectionResponse(
  server,
  client,
  await oauth.introspectionRequest(server, client, authentication, refreshed.access_token, insecure),
);
console.log(shown.active ? "active" : "inactive");
await oauth.processRevocationResponse(
  await oauth.revocationRequest(server, client, authentication, refreshed.access_token, insecure),
);
console.log("revoked");
const status = await read(refreshed.access_token).then(
  (response) => response.status,
  (error) => error.status ?? error.response?.status,
);
console.log(status);
process.exit(0);
