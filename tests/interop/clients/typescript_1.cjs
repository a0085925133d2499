// A client of the TypeScript SDK, version 1: see plan.cjs.

const { Client } = require('@modelcontextprotocol/sdk/client/index.js');
const { StdioClientTransport } = require('@modelcontextprotocol/sdk/client/stdio.js');
const { StreamableHTTPClientTransport } = require('@modelcontextprotocol/sdk/client/streamableHttp.js');
const { ElicitRequestSchema } = require('@modelcontextprotocol/sdk/types.js');
const { follow, reply } = require('./plan.cjs');

follow(async (plan) => {
  const capabilities = plan.forms ? { elicitation: { form: {} } } : {};
  const client = new Client({ name: plan.name, version: '1.0' }, { capabilities });
  if (plan.forms) client.setRequestHandler(ElicitRequestSchema, reply());
  const { url, token } = plan.server;
  const headers = { Authorization: `Bearer ${token}` };
  await client.connect(url
    ? new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } })
    : new StdioClientTransport(plan.server));
  return { client, call: (params, options) => client.callTool(params, undefined, options) };
});
