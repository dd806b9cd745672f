import { lookup as resolveName, type LookupAddress } from 'node:dns'
import {
  request as requestPlain,
  type ClientRequest,
  type IncomingMessage,
  type RequestOptions,
} from 'node:http'
import { request as requestSecure } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { isAllowedHost, type ImportHost } from './import-hosts.ts'
import { isPublicAddress } from './public-address.ts'

/** Why an address is not fetched from, or gave no answer. */
export type OutgoingFault =
  /** Not an address at all, not https, or with a user name in it. */
  | 'not-a-link'
  /** Not on a host of the list, or not at its port; also of a redirect. */
  | 'host'
  /** The name leads to an address that is not public. */
  | 'address'
  /** Too many redirects. */
  | 'redirects'
  /** No connection, no answer in time, or a connection that broke. */
  | 'away'

/** A refusal or failure of a fetch. Says nothing of the link, so that logs may show it. */
export class OutgoingError extends Error {
  override readonly name = 'OutgoingError'
  readonly fault: OutgoingFault

  constructor(fault: OutgoingFault) {
    super(`The fetch ended: ${fault}`)
    this.fault = fault
  }
}

/** What a fetch asks for. */
interface OutgoingRequest {
  readonly link: string
  readonly headers: Readonly<Record<string, string>>
  readonly signal: AbortSignal
  /** A request that changes something, and what it brings; such a one follows no redirect. */
  readonly writes?: {
    readonly method: 'POST' | 'PUT' | 'DELETE'
    /** Read once; its length is among the headers. */
    readonly body: Readable | string
  }
}

/** The answer of the last address of a chain of redirects; its body is not read yet. */
interface OutgoingAnswer {
  readonly url: URL
  readonly message: IncomingMessage
}

/**
 * The only way by which this server asks hosts that are not its own, each for its own list of them.
 *
 * [Note: guarded fetch] A link may lead to this machine, to its network, or to the metadata of a
 * cloud, and so may a name that resolves there, now or in a moment, and a redirect. So: only https,
 * only hosts of the operator's list, no address literals, no passwords, the port of the list; the
 * name is resolved once, every address of it must be public, and the connection goes to exactly
 * these; redirects are followed by hand through the same rules. No cookies, no proxies of the
 * environment.
 */
export interface Outgoing {
  readonly hosts: readonly ImportHost[]
  /** The link as an address; throws what a fetch would refuse before it connects. */
  check(link: string): URL
  /** The caller reads or destroys the message. Throws `OutgoingError`, or the signal's reason. */
  open(request: OutgoingRequest): Promise<OutgoingAnswer>
}

/** How far a fetch reaches; other than the usual only in the composition of a test. */
export interface Reach {
  readonly protocol: 'https:' | 'http:'
  isReachable(address: string): boolean
  resolve(hostname: string): Promise<readonly LookupAddress[]>
  /** Until the headers of an answer must be there. */
  readonly answerMs: number
}

const INTERNET: Reach = {
  protocol: 'https:',
  isReachable: isPublicAddress,
  resolve: resolveAll,
  answerMs: 20_000,
}

const LONGEST_LINK = 4096
const MAX_REDIRECTS = 5
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

/** @param reach tests only: a real server reaches the Internet and nothing else */
export function createOutgoing(hosts: readonly ImportHost[], reach: Reach = INTERNET): Outgoing {
  const check = (link: string, base?: URL): URL => {
    const url = link.length <= LONGEST_LINK ? URL.parse(link, base?.href) : null
    if (url === null || url.protocol !== reach.protocol || url.username + url.password !== '')
      throw new OutgoingError('not-a-link')
    // A connection to a literal asks no resolver, so that no address of it would be looked at.
    if (isIP(url.hostname.replace(/^\[|\]$/g, '')) !== 0 || !isAllowedHost(url, hosts))
      throw new OutgoingError('host')
    return url
  }
  return {
    hosts,
    check: (link) => check(link),
    async open({ link, ...request }) {
      let url = check(link)
      for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
        const message = await ask(url, { ...request, reach })
        const { statusCode = 0, headers: answered } = message
        // Google's 308 has no location: it says how much of a file it has.
        if (!REDIRECTS.has(statusCode) || answered.location === undefined) return { url, message }
        message.destroy()
        if (request.writes !== undefined) break
        url = check(answered.location, url)
      }
      throw new OutgoingError('redirects')
    },
  }
}

/** One request to one address; resolves with its headers. */
async function ask(
  url: URL,
  { headers, signal, writes, reach }: Omit<OutgoingRequest, 'link'> & { readonly reach: Reach },
): Promise<IncomingMessage> {
  signal.throwIfAborted()
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const options: RequestOptions = {
    headers: { 'accept-encoding': 'identity', 'user-agent': 'Onecut', ...headers },
    lookup: guardedLookup(reach),
    // A connection of its own for each request: none is reused that another check opened.
    agent: false,
    signal,
    ...(writes === undefined ? {} : { method: writes.method }),
  }
  const request = (reach.protocol === 'https:' ? requestSecure : requestPlain)(url, options)
  const timer = setTimeout(() => request.destroy(new OutgoingError('away')), reach.answerMs)
  // A timer that was cleared would run again.
  let isOver = false
  request.on('response', resolve)
  request.on('error', (error) => {
    reject(error instanceof OutgoingError ? error : new OutgoingError('away'))
  })
  if (writes === undefined) request.end()
  // The time for an answer begins again with each piece.
  else
    send(request, writes.body, {
      onMoved: () => (isOver ? null : timer.refresh()),
      onUnread: reject,
    })
  try {
    return await promise
  } catch (error) {
    signal.throwIfAborted()
    throw error
  } finally {
    isOver = true
    clearTimeout(timer)
  }
}

/** What happens while a body is sent. */
interface Sending {
  /** The connection took a piece of it. */
  onMoved(): void
  /** The body itself could not be read, which is no fault of the host. */
  onUnread(error: unknown): void
}

function send(request: ClientRequest, body: Readable | string, sending: Sending): void {
  if (typeof body === 'string') return void request.end(body)
  body.once('error', sending.onUnread)
  const counted = async function* (chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      sending.onMoved()
      yield chunk
    }
  }
  // What fails is heard of by the events of the body and of the request.
  pipeline(body, counted, request).catch(() => request.destroy())
}

/** Gives a connection the addresses of a name, all of them checked, or none. */
function guardedLookup(reach: Reach): LookupFunction {
  return (hostname, { all }, callback) => {
    const give = (found: readonly LookupAddress[]): void => {
      const [first] = found
      if (first === undefined) return callback(new OutgoingError('away'), [])
      // One bad address refuses the name: a connection that fails would try the next one.
      if (!found.every(({ address }) => reach.isReachable(address)))
        return callback(new OutgoingError('address'), [])
      if (all === true) return callback(null, [...found])
      callback(null, first.address, first.family)
    }
    reach.resolve(hostname).then(give, () => callback(new OutgoingError('away'), []))
  }
}

async function resolveAll(hostname: string): Promise<readonly LookupAddress[]> {
  return await new Promise((resolve, reject) => {
    resolveName(hostname, { all: true }, (error, found) => {
      if (error === null) resolve(found)
      else reject(error)
    })
  })
}
