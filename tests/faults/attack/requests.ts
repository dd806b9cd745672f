import type { Contract, ContractOperation } from '#server/http/contract.ts'
import { allCases } from '#tests/contract/cases/all-cases.ts'
import type { CaseCall, OperationCase } from '#tests/contract/cases/operation-case.ts'
import { pickNumber, pickOne } from '#tests/faults/random.ts'
import type { TestClient } from '#tests/setup/client.ts'
import type { SignedUp, TestServer } from '#tests/setup/server.ts'
import type { RawCall } from './raw-call.ts'
import { breakOneField, hostileBytes, hostileText, hostileValue, printJson } from './values.ts'

/** Who asks: the owner, another account, or a client without a session. */
type Stance = 'own' | 'foreign' | 'anonymous'

/** One request of an attack. `isWhole` is true when it is exactly what its owner would send. */
export interface Attack {
  readonly title: string
  readonly operation: ContractOperation | null
  readonly stance: Stance
  readonly isWhole: boolean
  readonly call: RawCall
}

/** The valid calls that attacks are made of. */
export interface Arsenal {
  readonly attacker: SignedUp
  /** For each operation its valid call by the attacker, and one that names what is the victim's. */
  readonly calls: readonly {
    readonly operation: ContractOperation
    readonly own: CaseCall
    readonly foreign: CaseCall | null
  }[]
  /** Signed addresses of parts: what has a changed one must not get in. */
  readonly partUrls: readonly string[]
}

interface Draft {
  method: string
  path: string
  params: Record<string, string>
  query: [string, string][]
  headers: [string, string][]
  body: unknown
  bytes: Uint8Array | null
}

/** Makes a valid call of each operation for the attacker, and for the victim what is theirs. */
export async function gatherArsenal(
  server: TestServer,
  contract: Contract,
  newPerson: () => Promise<SignedUp>,
  victim: SignedUp,
): Promise<Arsenal> {
  const attacker = await newPerson()
  const calls: Arsenal['calls'][number][] = []
  const cases = new Map<string, OperationCase>(Object.entries(allCases))
  for (const operation of contract.operations) {
    const known = cases.get(operation.id)
    if (known === undefined) continue
    const isOwned = operation.needsSession && (known.isOwned ?? operation.path.includes('{'))
    const own = await known.valid({ server, me: attacker, newPerson })
    const theirs = isOwned ? await known.valid({ server, me: victim, newPerson }) : null
    // What belongs to a person of its own is not the victim's.
    calls.push({ operation, own, foreign: theirs?.client === undefined ? theirs : null })
  }
  const uploads = await victim.client.get('/v1/upload-requests')
  const partUrls = [...JSON.stringify(uploads.body).matchAll(/"presignedUrl":"([^"]+)"/g)].map(
    ([, url = '']) => url,
  )
  return { attacker, calls, partUrls }
}

/** Paths outside of the contract. */
const PATHS = [
  '/../../../../etc/passwd',
  '/%2e%2e/%2e%2e/%2e%2e/etc/passwd',
  '/..%2f..%2f..%2fetc%2fpasswd',
  '/assets/..%5c..%5c..%5cetc/passwd',
  '/.env',
  '/.git/config',
  '/postgres/PG_VERSION',
  '/editors/api',
  '/editors/api/',
  '/editors/api/v1/%00',
  '/editors/api/v1//wallets',
  '/editors/api/v1/wallets/..%2f..%2fusers',
  '/editors/api/v1/Wallets',
  '/editors/api/v1/%ff%fe',
  '/dev/mail?format=json',
  '/dev/mail?token=x&format=json',
  '//evil.example/',
  `/${'a/'.repeat(2_000)}`,
  `/editors/api/v1/${'a'.repeat(8_000)}`,
] as const

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND', 'TRACE']

/** The next request of a seeded attack. */
export function nextAttack(random: () => number, arsenal: Arsenal): Attack {
  const dice = random()
  if (dice < 0.04) return strayPath(random, arsenal)
  if (dice < 0.08 && arsenal.partUrls.length > 0) return forgedPart(random, arsenal)
  const { operation, own, foreign } = pickOne(random, arsenal.calls)
  const stance = pickOne<Stance>(random, ['own', foreign === null ? 'own' : 'foreign', 'anonymous'])
  const valid = stance === 'own' ? own : (foreign ?? own)
  const asker = stance === 'own' ? (own.client ?? arsenal.attacker.client) : arsenal.attacker.client
  const draft = draftOf(operation, valid, stance === 'anonymous' ? null : asker)
  const changes = random() < 0.2 ? 0 : pickOne(random, [1, 1, 1, 1, 2])
  const titles = Array.from({ length: changes }, () => change(random, arsenal, operation, draft))
  return {
    title: `${operation.id} as ${stance}: ${titles.join(', ') || 'valid'}`,
    operation,
    stance,
    isWhole: changes === 0,
    call: callOf(draft),
  }
}

function strayPath(random: () => number, { attacker }: Arsenal): Attack {
  const path = pickOne(random, PATHS)
  const headers = headersOf(attacker.client, 'GET')
  return {
    title: `path ${path.slice(0, 60)}`,
    operation: null,
    stance: 'foreign',
    isWhole: false,
    call: { method: pickOne(random, METHODS.slice(0, 6)), path, headers, body: null },
  }
}

/** A part of the victim's at an address in which one letter or figure is another. */
function forgedPart(random: () => number, { partUrls, attacker }: Arsenal): Attack {
  const url = pickOne(random, partUrls)
  const from = url.indexOf('/v1/parts/') + 10
  const places = [...url.slice(from).matchAll(/(?<![&?])[\w-](?!=)/g)].map(({ index }) => index)
  const at = from + pickOne(random, places)
  const path = `${url.slice(0, at)}${url[at] === '1' ? '2' : '1'}${url.slice(at + 1)}`
  const method = pickOne(random, ['PUT', 'PUT', 'GET', 'HEAD', 'DELETE'])
  return {
    title: `forged part ${method}`,
    operation: null,
    stance: 'foreign',
    isWhole: true,
    call: { method, path, headers: headersOf(attacker.client, method), body: new Uint8Array(5) },
  }
}

function draftOf(operation: ContractOperation, call: CaseCall, client: TestClient | null): Draft {
  const method = operation.method.toUpperCase()
  const isForm = !operation.mediaTypes.includes('application/json') && call.body !== undefined
  return {
    method,
    path: operation.path,
    params: { ...call.params },
    query: Object.entries(call.query ?? {}),
    headers: [
      ...(client === null ? [] : headersOf(client, method)),
      ...Object.entries(call.headers ?? {}),
      ...(call.body === undefined
        ? []
        : [
            ['content-type', isForm ? (operation.mediaTypes[0] ?? '') : 'application/json'] as [
              string,
              string,
            ],
          ]),
    ],
    body: call.body,
    bytes: isForm
      ? new TextEncoder().encode(
          new URLSearchParams(call.body as Record<string, string>).toString(),
        )
      : null,
  }
}

function headersOf(client: TestClient, method: string): [string, string][] {
  const cookie = [...client.cookies]
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('; ')
  if (method === 'GET') return [['cookie', cookie]]
  const token = client.cookies.get('XSRF-TOKEN') ?? ''
  return [
    ['cookie', cookie],
    ['origin', client.origin],
    ['x-xsrf-token', token],
  ]
}

/** Changes one thing about a request; says what. */
function change(
  random: () => number,
  arsenal: Arsenal,
  operation: ContractOperation,
  draft: Draft,
): string {
  const hasBody = draft.body !== undefined
  const ways = [
    ...(hasBody ? (['field', 'field', 'field', 'field', 'body', 'type'] as const) : []),
    ...(Object.keys(draft.params).length > 0 ? (['param', 'param'] as const) : []),
    'query',
    'header',
    'method',
    'borrowed',
  ] as const
  const way = pickOne(random, ways)
  switch (way) {
    case 'field':
      draft.body = breakOneField(random, draft.body)
      draft.bytes = null
      break
    case 'body':
      draft.bytes = hostileBytes(random)
      break
    case 'type':
      setHeader(draft, 'content-type', pickOne(random, TYPES))
      break
    case 'param':
      draft.params[pickOne(random, Object.keys(draft.params))] = hostileText(random).slice(0, 3_000)
      break
    case 'query':
      draft.query.push([queryName(random, operation), queryValue(random)])
      break
    case 'header':
      draft.headers.push(pickOne(random, HEADERS)(random))
      break
    case 'method':
      draft.method = pickOne(random, METHODS)
      break
    case 'borrowed':
      borrow(random, arsenal, draft)
  }
  return way
}

const TYPES = [
  'text/plain',
  'application/xml',
  'multipart/form-data; boundary=x',
  'application/x-www-form-urlencoded',
  'application/json; charset=utf-16',
  'application/json;'.repeat(50),
  '',
] as const

const HEADERS: readonly ((random: () => number) => [string, string])[] = [
  () => ['cookie', `session=${'a'.repeat(43)}; XSRF-TOKEN=x`],
  () => ['cookie', 'a=%ff; =; ;;; __proto__=1; session="'],
  () => ['x-xsrf-token', 'x'],
  () => ['x-user-id', '0197a3f2-7c1e-7b90-a111-5d2c8e4f0aff'],
  (random) => ['idempotency-key', `key-of-an-attack-${pickNumber(random, 0, 3)}`],
  () => ['idempotency-key', 'k'.repeat(5_000)],
  () => ['origin', 'https://evil.example'],
  () => ['sec-fetch-site', 'cross-site'],
  () => ['x-forwarded-for', '::1, 10.0.0.1, unknown, \t'],
  () => ['x-forwarded-host', 'evil.example'],
  () => ['x-http-method-override', 'DELETE'],
  () => ['x-big', 'x'.repeat(30_000)],
  () => ['range', 'bytes=0-0,1-1,2-2,-1'],
  () => ['range', 'bytes=99999999999999999999-'],
  () => ['if-none-match', '*'],
  () => ['if-modified-since', 'never'],
  () => ['content-encoding', 'gzip'],
  () => ['accept', '\\"'],
  () => ['accept-language', `${'x-'.repeat(2_000)}x`],
  () => ['x-amz-checksum-sha256', 'AAAA'],
  () => ['user-agent', '\u00ff'.repeat(2_000)],
]

function setHeader(draft: Draft, name: string, value: string): void {
  draft.headers = [...draft.headers.filter(([other]) => other !== name), [name, value]]
}

function queryName(random: () => number, { queryNames: declared }: ContractOperation): string {
  return random() < 0.85 && declared.length > 0
    ? pickOne(random, declared)
    : hostileText(random).slice(0, 200)
}

function queryValue(random: () => number): string {
  return random() < 0.5
    ? hostileText(random).slice(0, 4_000)
    : JSON.stringify(hostileValue(random)).slice(0, 4_000)
}

/** Takes an id of another operation's call, the victim's where there is one. */
function borrow(random: () => number, { calls }: Arsenal, draft: Draft): void {
  const { own, foreign } = pickOne(random, calls)
  const params = foreign?.params ?? own.params ?? {}
  for (const name of Object.keys(draft.params))
    draft.params[name] = Object.values(params)[0] ?? draft.params[name] ?? ''
}

function callOf(draft: Draft): RawCall {
  const path = draft.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    safely(draft.params[name] ?? 'x'),
  )
  const query = draft.query.map(([name, value]) => `${safely(name)}=${safely(value)}`).join('&')
  const body =
    draft.bytes ??
    (draft.body === undefined ? null : new TextEncoder().encode(printJson(draft.body)))
  return {
    method: draft.method,
    path: `/editors/api${path}${query === '' ? '' : `?${query}`}`,
    headers: draft.headers,
    body,
  }
}

/** Percent-encoded; half of a pair has no encoding and goes as the sign for what is unknown. */
function safely(text: string): string {
  return text === '%00' || text === '%' ? '%00' : encodeURIComponent(text.toWellFormed())
}
