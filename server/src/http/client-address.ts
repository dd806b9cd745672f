import type { Context as HonoContext } from 'hono'

/** The address at the other end of the connection, or `unknown` without one (a request made inside a test). */
export function clientAddress(c: HonoContext): string {
  const env: unknown = c.env
  if (env === null || typeof env !== 'object' || !('incoming' in env)) return 'unknown'
  const { incoming } = env
  if (incoming === null || typeof incoming !== 'object' || !('socket' in incoming)) return 'unknown'
  const { socket } = incoming
  if (socket === null || typeof socket !== 'object' || !('remoteAddress' in socket)) return 'unknown'
  return typeof socket.remoteAddress === 'string' ? socket.remoteAddress.replace(/^::ffff:/, '') : 'unknown'
}

/** Whether a host name or address means this machine. */
export function isLoopback(host: string): boolean {
  const name = host.toLowerCase().replace(/^\[|\]$/g, '')
  return name === 'localhost' || name.endsWith('.localhost') || name === '::1' || /^127(?:\.\d{1,3}){3}$/.test(name)
}
