import { BlockList, isIP } from 'node:net'
import type { Context as HonoContext } from 'hono'

/** Which reverse proxies may say whom they speak for. */
export type TrustedProxies = Pick<BlockList, 'check'>

/**
 * The address at the other end of the connection, or `unknown` without one (a request made inside a
 * test).
 */
export function clientAddress(c: HonoContext): string {
  const env: unknown = c.env
  if (env === null || typeof env !== 'object' || !('incoming' in env)) return 'unknown'
  const { incoming } = env
  if (incoming === null || typeof incoming !== 'object' || !('socket' in incoming)) return 'unknown'
  const { socket } = incoming
  if (socket === null || typeof socket !== 'object' || !('remoteAddress' in socket))
    return 'unknown'
  return typeof socket.remoteAddress === 'string' ? plainAddress(socket.remoteAddress) : 'unknown'
}

/**
 * Whom a request comes from: the connection's other end, unless that is a trusted proxy. Then the
 * rightmost address of `X-Forwarded-For` that is no trusted proxy counts; what stands left of it is
 * the sender's own claim, and anything that is no address ends the search at the proxy that wrote
 * it.
 */
export function originalAddress(
  connectionAddress: string,
  forwardedFor: string | undefined,
  proxies: TrustedProxies,
): string {
  let address = connectionAddress
  for (const claimed of (forwardedFor ?? '').split(',').toReversed()) {
    if (!isTrusted(address, proxies)) return address
    const next = plainAddress(claimed.trim())
    if (isIP(next) === 0) return address
    address = next
  }
  return address
}

/**
 * Reads addresses and networks divided by commas, e.g. `127.0.0.1, 10.0.0.0/8, ::1`; null when one
 * of them is none.
 */
export function parseProxies(list: string): BlockList | null {
  const proxies = new BlockList()
  for (const entry of list
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '')) {
    const [address = '', prefix, ...rest] = entry.split('/')
    const family = isIP(address)
    const most = family === 4 ? 32 : 128
    const bits = prefix === undefined ? most : Number(prefix)
    if (
      family === 0 ||
      rest.length > 0 ||
      !/^\d*$/.test(prefix ?? '') ||
      prefix === '' ||
      bits > most
    )
      return null
    proxies.addSubnet(address, bits, family === 4 ? 'ipv4' : 'ipv6')
  }
  return proxies
}

/** Whether a host name or address means this machine. */
export function isLoopback(host: string): boolean {
  const name = host.toLowerCase().replace(/^\[|\]$/g, '')
  return (
    name === 'localhost' ||
    name.endsWith('.localhost') ||
    name === '::1' ||
    /^127(?:\.\d{1,3}){3}$/.test(name)
  )
}

function isTrusted(address: string, proxies: TrustedProxies): boolean {
  const family = isIP(address)
  return family !== 0 && proxies.check(address, family === 4 ? 'ipv4' : 'ipv6')
}

/**
 * IPv4 inside IPv6, brackets and ports of some proxies: `::ffff:10.0.0.1`, `[2001:db8::1]:4711`,
 * `10.0.0.1:4711`.
 */
function plainAddress(text: string): string {
  const bare =
    /^\[(.+)\](?::\d+)?$/.exec(text)?.[1] ?? /^(\d+(?:\.\d+){3}):\d+$/.exec(text)?.[1] ?? text
  return bare.replace(/^::ffff:(?=\d+\.)/i, '')
}
