/**
 * The PostgreSQL that the runners of one `npm test` share, as a process of its own so that its
 * processor time is counted apart. Prints the connection as one line of JSON when it is ready, and
 * ends when its standard input closes.
 */
import { startTemplate } from '#tests/setup/postgres.ts'

const { connection, stop } = await startTemplate()
process.stdout.write(`${JSON.stringify(connection)}\n`)
// Ctrl-C in a terminal reaches the whole group; the run ends first and closes the pipe.
process.on('SIGINT', () => undefined)
await new Promise((resolve) => process.stdin.resume().once('close', resolve))
await stop()
