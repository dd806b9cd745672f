import type { Context as HonoContext } from 'hono'
import { networkOf, originalAddress, plainAddress, type TrustedProxies } from '#server/addresses.ts'

/**
 * The address at the other end of the connection, or `unknown` without a socket, as for a request
 * that a test makes inside the process.
 */
export function clientAddress(c: HonoContext): string {
  return addressOf(c, 'remoteAddress') ?? 'unknown'
}

/** The network that a request comes from, as trusted proxies report it. */
export function clientNetwork(c: HonoContext, proxies: TrustedProxies): string {
  const forwarded = c.req.header('x-forwarded-for')
  return networkOf(originalAddress(clientAddress(c), forwarded, proxies))
}

/** The address of this machine that the connection came to, or null without a socket. */
export function ownAddress(c: HonoContext): string | null {
  return addressOf(c, 'localAddress')
}

/** Node's request behind a call, or null for one that a test makes inside the process. */
export function incomingOf(c: HonoContext): object | null {
  const env: unknown = c.env
  if (env === null || typeof env !== 'object' || !('incoming' in env)) return null
  return typeof env.incoming === 'object' ? env.incoming : null
}

function addressOf(c: HonoContext, end: 'remoteAddress' | 'localAddress'): string | null {
  const incoming = incomingOf(c)
  if (incoming === null || !('socket' in incoming)) return null
  const socket: unknown = incoming.socket
  if (socket === null || typeof socket !== 'object') return null
  const address = (socket as Readonly<Record<string, unknown>>)[end]
  return typeof address === 'string' ? plainAddress(address) : null
}
