import { idleLimitMs } from '#src/local/uploads/network/watchdog.ts'
import type { PartRequest, PutOutcome } from '#src/local/uploads/ports.ts'
import { sendByFetch, type FetchDeps } from './send-by-fetch.ts'

/**
 * Asks by HEAD how much of a part the server holds, for every transport: fetch is enough where no
 * body is sent. A new connection has the limit of connecting.
 */
export async function askOffset(
  { url, sha256, pace, signal }: Pick<PartRequest, 'url' | 'sha256' | 'pace' | 'signal'>,
  deps: FetchDeps,
): Promise<PutOutcome> {
  return await sendByFetch(
    { url, signal, limitMs: idleLimitMs('connecting', 0, pace) },
    { method: 'HEAD', cache: 'no-store', headers: { 'x-amz-checksum-sha256': sha256 } },
    () => '',
    deps,
  )
}
