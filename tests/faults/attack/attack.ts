import type { Contract } from '#server/http/contract.ts'
import { loadContract } from '#server/http/contract.ts'
import { createRandom } from '#tests/faults/random.ts'
import type { SignedUp, TestServer } from '#tests/setup/server.ts'
import { createRawCaller, type RawAnswer } from './raw-call.ts'
import { gatherArsenal, nextAttack, type Attack } from './requests.ts'
import { bookErrors, rowsOf, uuidsIn, type OwnRows } from './rows.ts'

/** What an attack by requests showed. */
export interface RequestAttackReport {
  readonly requests: number
  /** How many answers had each status; 0 is a connection that the server ended. */
  readonly answers: ReadonlyMap<number, number>
  readonly operations: number
  /** Rows of the victims, compared before and after. */
  readonly victimRows: number
  /** What must not be; empty when all held. */
  readonly complaints: readonly string[]
}

/** Each batch has a victim and an attacker of its own, so that used up calls are fresh again. */
const BATCH = 500
/** More time than any limit of an hour leaves open between two batches' sign-ups. */
const HOUR_MS = 3_700_000
const BETWEEN_MS = 20_000

/**
 * Sends `requests` seeded requests, valid and nearly valid, by the owner, by another account and
 * without a session. `pass` lets the clock of the server go on.
 */
export async function attackByRequests(
  server: TestServer,
  {
    requests,
    seed,
    pass,
    onBatch = () => undefined,
  }: {
    readonly requests: number
    readonly seed: number
    readonly pass: (ms: number) => void
    readonly onBatch?: (sent: number) => void
  },
): Promise<RequestAttackReport> {
  const random = createRandom(seed)
  const contract = await loadContract()
  const answers = new Map<number, number>()
  const operations = new Set<string>()
  const complaints: string[] = []
  let victimRows = 0
  const newPerson = (): Promise<SignedUp> => {
    pass(HOUR_MS)
    return server.signUp()
  }
  for (let sent = 0; sent < requests; sent += BATCH) {
    const victim = await newPerson()
    const arsenal = await gatherArsenal(server, contract, newPerson, victim)
    const before = await rowsOf(server.deps.db, victim.userId)
    victimRows += before.rows.size
    const loggedBefore = server.logged.length
    const caller = createRawCaller(server.origin)
    for (let nth = sent; nth < Math.min(requests, sent + BATCH); nth += 1) {
      pass(BETWEEN_MS)
      const attack = nextAttack(random, arsenal)
      const answer = await caller.call(attack.call)
      answers.set(answer.status, (answers.get(answer.status) ?? 0) + 1)
      if (attack.operation !== null) operations.add(attack.operation.id)
      for (const words of wrongWith(contract, attack, answer, before, victim))
        complaints.push(`request ${nth} of seed ${seed}, ${attack.title}: ${words}`)
    }
    caller.close()
    complaints.push(
      ...changesOf(before, await rowsOf(server.deps.db, victim.userId)),
      ...(await bookErrors(server.deps.db)).map((error) => `The books are wrong: ${error}`),
      ...secretsIn(server.logged.slice(loggedBefore), [victim, arsenal.attacker]),
    )
    onBatch(Math.min(requests, sent + BATCH))
  }
  return { requests, answers, operations: operations.size, victimRows, complaints }
}

function wrongWith(
  contract: Contract,
  attack: Attack,
  answer: RawAnswer,
  victims: OwnRows,
  victim: SignedUp,
): readonly string[] {
  return [
    ...wrongStatus(attack, answer),
    ...wrongBody(contract, attack, answer),
    ...leaksOf(attack, answer, victims, victim),
  ]
}

function wrongStatus({ isWhole, stance, operation }: Attack, answer: RawAnswer): readonly string[] {
  const { status, headers, text } = answer
  if (status === 503) return headers['retry-after'] === undefined ? ['503 without Retry-After'] : []
  if (status >= 500 && !(status === 501 && text.includes('system/not-built')))
    return [`${status} ${text.slice(0, 300)}`]
  const isRefused = status >= 400 || status === 0
  if (isWhole && !isRefused && stance === 'foreign') return [`${status} for what is another's`]
  return isWhole && !isRefused && stance === 'anonymous' && operation?.needsSession === true
    ? [`${status} without a session`]
    : []
}

/** Pages of mails, which show HTML; and refusals by Node before the server sees the request. */
const HAS_PAGES = new Set(['showMagicLinkPage', 'signInByMagicLink'])

function wrongBody(
  contract: Contract,
  { operation, call }: Attack,
  { status, headers, text }: RawAnswer,
): readonly string[] {
  if (text.includes('root:x:0')) return ['a file of the machine']
  if (/\bat \S+ \(?file:|node_modules|\/work\/|ECONNREFUSED|syntax error at/.test(text))
    return [`an answer from inside: ${text.slice(0, 200)}`]
  if (operation === null || status === 0 || status === 431 || text === '') return []
  const isJson = String(headers['content-type']).includes('json')
  if (status >= 400) {
    if (HAS_PAGES.has(operation.id) && !isJson) return []
    const isError = isJson && /^\{"error":\{"message":"[^"\\]/.test(text)
    return isError ? [] : [`${status} without an error body: ${text.slice(0, 200)}`]
  }
  // A changed method or an empty id may name another operation.
  const { method, path } = call
  const [bare = ''] = path.split('?')
  const reached = contract.paths.find(bare).get(method.toLowerCase())
  if (!isJson || reached === undefined) return []
  const errors = contract.answerErrors(reached.id, status, JSON.parse(text))
  return errors.map(({ instancePath, message }) => `contract: ${instancePath} ${message}`)
}

/** What an answer says of the victim that its request did not. */
function leaksOf(
  { stance, call }: Attack,
  { text, headers }: RawAnswer,
  victims: OwnRows,
  victim: SignedUp,
): readonly string[] {
  const asked = new Set(uuidsIn(`${call.path} ${new TextDecoder().decode(call.body ?? undefined)}`))
  const told = uuidsIn(`${text} ${JSON.stringify(headers)}`)
  const leaked = told.filter((id) => victims.ids.has(id) && !asked.has(id))
  const isTold = text.includes(victim.email)
  return leaked.length > 0 || isTold ? [`tells ${stance} of ${leaked[0] ?? 'an address'}`] : []
}

function changesOf(before: OwnRows, after: OwnRows): readonly string[] {
  return [
    ...[...before.rows]
      .filter((row) => !after.rows.has(row))
      .map((row) => `A foreign row is gone: ${row}`),
    ...[...after.rows]
      .filter((row) => !before.rows.has(row))
      .map((row) => `A foreign row is new: ${row}`),
  ].map((words) => words.slice(0, 400))
}

function secretsIn(lines: TestServer['logged'], people: readonly SignedUp[]): readonly string[] {
  const text = JSON.stringify(lines)
  const secrets = people.flatMap(({ email, client }) => [email, ...client.cookies.values()])
  return [
    ...lines
      .filter(({ level }) => level === 'error')
      .map((line) => `An error was logged: ${JSON.stringify(line).slice(0, 600)}`),
    ...secrets.filter((secret) => text.includes(secret)).map(() => 'A secret was logged'),
  ]
}
