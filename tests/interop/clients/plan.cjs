// What every client of the TypeScript SDKs here does: it follows a plan (its only argument, JSON) and says
// in JSON lines what it got. `connect(plan)` is what they differ in.
//
// plan: {server: {command, args, env, cwd} | {url, token}, era, name,
//        forms: whether it has forms; each is replied to with the next line of the standard input,
//        calls: [{tool, arguments, progress?: whether it wants to be told}]}
// lines: {tools}, {form}, {progress}, {result}, {error}, in the order in which they came

const { createInterface } = require('node:readline');

const say = (line) => process.stdout.write(`${JSON.stringify(line)}\n`);

function reply() {
  const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
  return async (request) => {
    say({ form: request.params });
    const { value, done } = await lines.next();
    return done ? new Promise(() => {}) : JSON.parse(value);
  };
}

function options(call) {
  // Without `onprogress` no token is sent.
  return call.progress ? { resetTimeoutOnProgress: true, onprogress: (progress) => say({ progress }) } : {};
}

exports.reply = reply;
exports.follow = async (connect) => {
  const plan = JSON.parse(process.argv[2]);
  const { client, call } = await connect(plan);
  const { tools } = await client.listTools();
  say({ tools: tools.map((tool) => tool.name) });
  for (const planned of plan.calls) {
    try {
      say({ result: await call({ name: planned.tool, arguments: planned.arguments }, options(planned)) });
    } catch (error) {
      say({ error: String(error) });
    }
  }
  await client.close();
  process.exit(0);
};
