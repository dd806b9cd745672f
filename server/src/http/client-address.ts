import type { Context as HonoContext } from 'hono'
import { plainAddress } from '#server/addresses.ts'

/**
 * The address at the other end of the connection, or `unknown` without a socket, as for a request
 * that a test makes inside the process.
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
