import { BlockList, isIP } from 'node:net'

/** The reverse proxies whose `X-Forwarded-For` is believed. */
export type TrustedProxies = Pick<BlockList, 'check'>

/**
 * The address a request comes from: the other end of the connection, unless that is a trusted
 * proxy. Then the rightmost address of `X-Forwarded-For` that is not a trusted proxy counts. What
 * stands left of it is the sender's own claim, and an entry that is not an address ends the search
 * at the proxy that wrote it.
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
 * Reads addresses and networks separated by commas, e.g. `127.0.0.1, 10.0.0.0/8, ::1`; null when an
 * entry is neither.
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

/**
 * An address without what some proxies and IPv6 sockets add: `::ffff:10.0.0.1`,
 * `[2001:db8::1]:4711`, `10.0.0.1:4711`.
 */
export function plainAddress(text: string): string {
  const bare =
    /^\[(.+)\](?::\d+)?$/.exec(text)?.[1] ?? /^(\d+(?:\.\d+){3}):\d+$/.exec(text)?.[1] ?? text
  return bare.replace(/^::ffff:(?=\d+\.)/i, '')
}

/**
 * What counts as one asker: an IPv4 address, or the /64 of an IPv6 address, of which one customer
 * has all 2^64 (RFC 6177). Anything else is itself.
 */
export function networkOf(address: string): string {
  const [plain = ''] = address.split('%')
  if (isIP(plain) !== 6) return address
  // The URL parser writes every address in one way, without an embedded IPv4.
  const [head = '', tail] = new URL(`http://[${plain}]`).hostname.slice(1, -1).split('::')
  const before = head === '' ? [] : head.split(':')
  const after = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0')
  return `${[...before, ...zeros, ...after].slice(0, 4).join(':')}::/64`
}

/**
 * A network as `networkOf` names it, and those around it of which one line may have all (RFC 6177
 * §2): `/64` is the network itself, also where it is an IPv4 address; `/56` and `/48` are only
 * around an IPv6 network.
 */
export function networksAround(network: string): Readonly<Record<string, string>> {
  const [prefix, rest] = network.split('::')
  if (prefix === undefined || rest !== '/64') return { '/64': network }
  const [a = '', b = '', c = '', d = ''] = prefix.split(':')
  const upper = (Number.parseInt(d, 16) & 0xff00).toString(16)
  return {
    '/64': network,
    '/56': `${a}:${b}:${c}:${upper}::/56`,
    '/48': `${a}:${b}:${c}::/48`,
  }
}

/** Whether an address is that of a trusted proxy. */
export function isTrusted(address: string, proxies: TrustedProxies): boolean {
  const family = isIP(address)
  return family !== 0 && proxies.check(address, family === 4 ? 'ipv4' : 'ipv6')
}

/** How this machine calls the address that it listens on. */
export function ownHost(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1'
  if (host === '::') return '[::1]'
  return host.includes(':') ? `[${host}]` : host
}
