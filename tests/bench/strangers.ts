/**
 * `npm run bench -- strangers [seconds] [word]`: attacks a server by each of eight ways, or those
 * with the word in their names, for so many seconds (60) while a creator reads, uploads and orders,
 * and compares the creator's calls with those of as long a time without strangers. Both take turns
 * of at most 15 s, so that what else the machine does meanwhile counts for both, and each turn has
 * the same calls: it begins with one upload and one order. Ends with 1 when a goal is missed, or of
 * too few calls.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { constants, loadavg, setPriority, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { bottomless } from '#tests/fixtures/bottomless-files.ts'
import { createTestClient, type TestClient } from '#tests/setup/client.ts'
import { startE2eServer } from '#tests/setup/e2e-server.ts'
import { signUpAt, signUpCreator } from '#tests/setup/e2e-sign-up.ts'
import { repeatPicture } from '#tests/setup/edit-list.ts'
import { makeClip } from '#tests/setup/media.ts'
import { attestation, requestEdits } from '#tests/setup/order.ts'
import { uploadBytes, type UploadRequest } from '#tests/setup/upload.ts'
import type { AttackName, AttackOrder } from './stranger-attacks.ts'
import { missedBy, quantile, timesBetween, together, type Phase } from './stranger-goals.ts'

const SECONDS = Number(process.argv[2] ?? 60)
const WORD = process.argv[3] ?? ''
const HOSTILE_ACCOUNTS = 10
const TICKS_A_SECOND = 100
const [READ_EVERY_MS, UPLOAD_EVERY_MS, ORDER_EVERY_MS, LOOK_EVERY_MS] = [50, 15_000, 15_000, 250]
const TURNS = Math.max(1, Math.ceil((SECONDS * 1000) / UPLOAD_EVERY_MS))
const TURN_S = SECONDS / TURNS
const NAMES: readonly AttackName[] = [
  'bodies of 100,000 keys',
  'bodies at every limit',
  'what is offered to all',
  'ten accounts, edits that are wrong',
  'mails and reports of forty networks',
  'parts with made-up addresses',
  'slow connections',
  'ten accounts, hostile files',
]

const folder = await mkdtemp(join(tmpdir(), 'onecut-strangers-'))
await makeClip(join(folder, 'small.mp4'), 4)
await makeClip(join(folder, 'movie.mp4'), 8)
const small = await readFile(join(folder, 'small.mp4'))
const movie = await readFile(join(folder, 'movie.mp4'))
const files = [
  repeatPicture(movie, 8000, 25_000),
  repeatPicture(movie, 8000, 100_000),
  ...bottomless.map(({ make }) => make(movie)),
]

// Each stranger says where it comes from, as a proxy of the operator would.
const server = await startE2eServer({ ONECUT_TRUSTED_PROXIES: '127.0.0.0/8,::1' })
try {
  await runAll()
} finally {
  await server.dispose()
  await rm(folder, { recursive: true, force: true })
}

async function runAll(): Promise<void> {
  const hostile: TestClient[] = []
  for (let at = 0; at < HOSTILE_ACCOUNTS; at += 1) hostile.push((await signUpAt(server)).client)
  const accounts = hostile.map(({ cookies }) => [...cookies])
  // What is compiled at the first call of an operation is no part of any phase.
  const { creator: early, first: sent } = await newCreator()
  await phaseOf('first calls', early, sent, async () => await delay(5_000))
  process.stdout.write(
    `load ${loadavg()[0]?.toFixed(1)}, ${SECONDS} s each in ${TURNS} turns\n\n| strangers send | calls | p50, quiet | p50 | p99, quiet | p99 | times | small file checked after | more memory | loop held, quiet | loop held | processor time of a call of theirs | their answers | |\n|---|---|---|---|---|---|---|---|---|---|---|---|---|---|\n`,
  )
  for (const name of NAMES.filter((each) => each.includes(WORD))) {
    const quietTurns: Phase[] = []
    const attackedTurns: Phase[] = []
    const theirs = new Map<number, number>()
    const { creator, first } = await newCreator()
    for (let turn = 0; turn < TURNS; turn += 1) {
      const pause = async (): Promise<void> => await delay(TURN_S * 1000)
      quietTurns.push(await phaseOf('quiet', creator, first, pause))
      const attack = await prepare()
      const attacking = async (): Promise<void> => {
        const order = { origin: server.origin, name, seconds: TURN_S, accounts, files }
        for (const [status, count] of await attack(order))
          theirs.set(status, (theirs.get(status) ?? 0) + count)
      }
      attackedTurns.push(await phaseOf(name, creator, first, attacking))
    }
    tell(together(quietTurns, Math.min), together(attackedTurns, Math.max), theirs)
  }
}

/** One for each attack: an account begins no more than 60 uploads in an hour. */
async function newCreator(): Promise<{
  readonly creator: TestClient
  readonly first: UploadRequest
}> {
  const creator = await signUpCreator(server)
  const first = await uploadBytes(creator, small)
  await checked(creator, first)
  return { creator, first }
}

function tell(quiet: Phase, attacked: Phase, theirs: ReadonlyMap<number, number>): void {
  const answers = new Map(attacked.answers)
  for (const [status, count] of theirs) answers.set(status, (answers.get(status) ?? 0) + count)
  const missed = missedBy(quiet, { ...attacked, answers })
  if (missed.length > 0) process.exitCode = 1
  process.stdout.write(`${lineOf(quiet, attacked, [...theirs], missed)}\n`)
}

/** How often strangers had each status. */
type Answers = readonly (readonly [number, number])[]
type Attack = (order: AttackOrder) => Promise<Answers>

/**
 * Strangers have machines of their own. Here they have what the server and the creator leave of
 * the processor, so that what is measured is the server's way with them, not its want of a core:
 * Linux shares it among sessions first, so they have one of their own, with the least share. They
 * are ready before a turn begins, so that no part of it is without them.
 */
async function prepare(): Promise<Attack> {
  const strangers = fork(new URL('./stranger-attacks.ts', import.meta.url), {
    serialization: 'advanced',
    detached: true,
  })
  await once(strangers, 'message')
  const pid = strangers.pid ?? 0
  setPriority(pid, constants.priority.PRIORITY_LOW)
  await writeFile(`/proc/${pid}/autogroup`, String(constants.priority.PRIORITY_LOW)).catch(() =>
    process.stdout.write('The strangers share the processor with the server.\n'),
  )
  return async (order) => {
    strangers.send(order)
    return await new Promise((resolve, reject) => {
      strangers.once('message', (theirs: Answers) => resolve(theirs))
      strangers.once('exit', (code) => reject(new Error(`the strangers ended with ${code}`)))
    })
  }
}

/** Has the creator work while `during` runs. */
async function phaseOf(
  name: string,
  creator: TestClient,
  first: UploadRequest,
  during: () => Promise<void>,
): Promise<Phase> {
  const [callsMs, checksS, answers] = [[], [], new Map<number, number>()] as [
    number[],
    number[],
    Map<number, number>,
  ]
  const timed = timedClient(creator, (ms, status) => {
    callsMs.push(ms)
    answers.set(status, (answers.get(status) ?? 0) + 1)
  })
  const logBefore = server.log().length
  const cpuBefore = await cpuOf(server.pid())
  const phase = { isOver: false }
  let memoryMb = 0
  const until = async (everyMs: number, work: (nth: number) => Promise<void>): Promise<void> => {
    for (let nth = 0; !phase.isOver; nth += 1) {
      const next = performance.now() + everyMs
      await work(nth)
      while (!phase.isOver && performance.now() < next)
        await delay(Math.min(LOOK_EVERY_MS, Math.max(1, next - performance.now())))
    }
  }
  const reads = [
    '/v1/users/me',
    '/v1/media-jobs',
    '/v1/wallets',
    `/v1/upload-requests/${first._id}`,
  ]
  const work = [
    until(READ_EVERY_MS, async (nth) => {
      await timed.get(reads[nth % reads.length] ?? '')
    }),
    until(UPLOAD_EVERY_MS, async () => {
      const upload = await uploadBytes(timed, small)
      checksS.push(await checked(creator, upload))
    }),
    until(ORDER_EVERY_MS, async () => {
      const job = await requestEdits(timed, first._id, [{ mediaJobTaskPresetSlug: 'still-pack' }])
      await timed.post('/v1/orders', { order: { mediaJobId: job._id, attestation } })
    }),
    until(1_000, async () => {
      memoryMb = Math.max(memoryMb, await memoryOf(server.pid()))
    }),
  ]
  await during()
  const cpuS = (await cpuOf(server.pid())) - cpuBefore
  phase.isOver = true
  await Promise.all(work)
  const held = [
    ...server
      .log()
      .slice(logBefore)
      .matchAll(/"longestMs":(\d+)/g),
  ]
  const heldMs = Math.max(0, ...held.map(([, ms]) => Number(ms)))
  return { name, callsMs, checksS, answers, memoryMb, cpuS, heldMs }
}

/** The seconds until an upload has its verdict. */
async function checked(client: TestClient, { _id }: UploadRequest): Promise<number> {
  const beganMs = performance.now()
  for (;;) {
    const answer = await client.get<{ uploadRequest: UploadRequest }>(`/v1/upload-requests/${_id}`)
    if (answer.body.uploadRequest.isValidated) return (performance.now() - beganMs) / 1000
    if (performance.now() - beganMs > 600_000) return Number.POSITIVE_INFINITY
    await delay(LOOK_EVERY_MS)
  }
}

/** The same person, of whose calls each is told. */
function timedClient(client: TestClient, onCall: (ms: number, status: number) => void): TestClient {
  const timed = createTestClient(client.origin)
  for (const [name, value] of client.cookies) timed.cookies.set(name, value)
  const call: TestClient['call'] = async (...args) => {
    const beganMs = performance.now()
    const answer = await timed.call<never>(...args)
    onCall(performance.now() - beganMs, answer.status)
    return answer
  }
  return {
    ...timed,
    call,
    get: async (path, options) => await call('GET', path, options),
    post: async (path, body, options) => await call('POST', path, { ...options, body }),
    patch: async (path, body, options) => await call('PATCH', path, { ...options, body }),
    delete: async (path, options) => await call('DELETE', path, options),
  }
}

/** Processor seconds of a process, without those of the tools that it started. */
async function cpuOf(pid: number | null): Promise<number> {
  const fields = (await readFile(`/proc/${pid ?? 'self'}/stat`, 'utf8')).split(') ')[1]?.split(' ')
  return (Number(fields?.[11]) + Number(fields?.[12])) / TICKS_A_SECOND
}

async function memoryOf(pid: number | null): Promise<number> {
  const status = await readFile(`/proc/${pid ?? 'self'}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024
}

function lineOf(quiet: Phase, attacked: Phase, theirs: Answers, missed: readonly string[]): string {
  const ms = ({ callsMs }: Phase, share: number) => quantile(callsMs, share).toFixed(0)
  const times = quantile(attacked.callsMs, 0.99) / quantile(quiet.callsMs, 0.99)
  const [low, high] = timesBetween(quiet, attacked)
  const asked = theirs.reduce((sum, [, count]) => sum + count, 0)
  const cpuMs = ((attacked.cpuS - quiet.cpuS) * 1000) / asked
  const cells = [
    attacked.name,
    attacked.callsMs.length,
    `${ms(quiet, 0.5)} ms`,
    `${ms(attacked, 0.5)} ms`,
    `${ms(quiet, 0.99)} ms`,
    `${ms(attacked, 0.99)} ms`,
    `${times.toFixed(1)} (${low.toFixed(1)} to ${high.toFixed(1)})`,
    `${Math.max(...attacked.checksS).toFixed(1)} s`,
    `${(attacked.memoryMb - quiet.memoryMb).toFixed(0)} MB`,
    `${quiet.heldMs} ms`,
    `${attacked.heldMs} ms`,
    Number.isFinite(cpuMs) ? `${cpuMs.toFixed(1)} ms` : '',
    theirs.map(([status, count]) => `${count} x ${status === 0 ? 'ended' : status}`).join(', '),
    missed.length === 0 ? 'met' : `**missed**: ${missed.join(', ')}`,
  ]
  return `| ${cells.join(' | ')} |`
}
