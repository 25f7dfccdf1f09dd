/** Ends the process with the first test that fails: one is enough to notice a fault. Default export: node:test asks for it. */
// biome-ignore lint/correctness/useYield: what it would yield is for people
export default async function* untilOneFails(source) {
  for await (const { type, data } of source) if (type === 'test:fail' && !data.todo) process.exit(1);
}
