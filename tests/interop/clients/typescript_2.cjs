// A client of the TypeScript SDK, version 2: see plan.cjs.

const { Client, StreamableHTTPClientTransport } = require('@modelcontextprotocol/client');
const { StdioClientTransport } = require('@modelcontextprotocol/client/stdio');
const { follow, reply } = require('./plan.cjs');

follow(async (plan) => {
  const client = new Client({ name: plan.name, version: '1.0' }, {
    capabilities: plan.forms ? { elicitation: { form: {} } } : {},
    // The default is legacy.
    ...(plan.era === 'modern' ? { versionNegotiation: { mode: 'auto' } } : {}),
  });
  if (plan.forms) client.setRequestHandler('elicitation/create', reply());
  const { url, token } = plan.server;
  const headers = { Authorization: `Bearer ${token}` };
  await client.connect(url
    ? new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } })
    : new StdioClientTransport(plan.server));
  return { client, call: (params, options) => client.callTool(params, options) };
});
