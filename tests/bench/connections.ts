/**
 * `npm run bench -- connections [count]`: opens 5,000 connections that keep the server waiting, of
 * four kinds, and measures what others notice: the time of a call over a new connection before and
 * while they are open. All share this machine, so the connections' own work is in the second time.
 */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { median } from './statistics.ts'
import { startE2eServer } from '#tests/setup/e2e-server.ts'

const COUNT = Number(process.argv[2] ?? 5_000)
const CALLS = 200
/** As long as the first request of a connection may take, and a look of the server. */
const UNTIL_CLOSED_MS = 25_000

const server = await startE2eServer()
const { hostname, port, host } = new URL(server.origin)
const forged = `/editors/api/v1/parts/${crypto.randomUUID()}/1?e=9999999999&s=forged`
const KINDS: Readonly<Record<string, string>> = {
  'nothing sent': '',
  'half of the headers': `GET /editors/api/v1/capabilities HTTP/1.1\r\nHost: ${host}\r\n`,
  'a body that does not come': `POST /editors/api/v1/auth/magic-link/login HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{`,
  'a part with a made-up address': `PUT ${forged} HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 16777216\r\n\r\nx`,
}

const before = await callTimes()
const sockets: Socket[] = []
const perKind = Math.ceil(COUNT / Object.keys(KINDS).length)
for (const sent of Object.values(KINDS))
  for (let opened = 0; opened < perKind; opened += 100)
    sockets.push(...(await Promise.all(Array.from({ length: 100 }, () => open(sent)))))
const during = await callTimes()
await delay(UNTIL_CLOSED_MS)
const left = sockets.filter((socket) => !socket.destroyed).length

console.log('| | median | slowest of 20 | refused |\n|---|---|---|---|')
for (const [name, { timesMs, refused }] of [
  ['before', before],
  [`${sockets.length} slow connections`, during],
] as const) {
  const slow = timesMs.toSorted((one, other) => one - other)[Math.floor(timesMs.length * 0.95)]
  console.log(
    `| ${name} | ${median(timesMs).toFixed(1)} ms | ${slow?.toFixed(1)} ms | ${refused} |`,
  )
}
console.log(`${left} of ${sockets.length} are open after ${UNTIL_CLOSED_MS / 1_000} s`)
for (const socket of sockets) socket.destroy()
await server.dispose()

async function open(sent: string): Promise<Socket> {
  const socket = connect(Number(port), hostname)
  socket.on('error', () => undefined)
  socket.resume()
  await Promise.race([once(socket, 'connect'), once(socket, 'close')])
  if (sent !== '') socket.write(sent)
  return socket
}

/** Each call has a connection of its own, as that of another person would. */
async function callTimes(): Promise<{ timesMs: readonly number[]; refused: number }> {
  const timesMs: number[] = []
  for (let call = 0; call < CALLS; call += 1) {
    const startedMs = performance.now()
    const answer = await fetch(`${server.origin}/editors/api/v1/capabilities`, {
      headers: { connection: 'close' },
    }).catch(() => null)
    if (answer?.ok === true) {
      await answer.arrayBuffer()
      timesMs.push(performance.now() - startedMs)
    }
  }
  return { timesMs, refused: CALLS - timesMs.length }
}
