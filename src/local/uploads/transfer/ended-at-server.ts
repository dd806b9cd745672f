import { treeHash } from '#src/local/uploads/file/hash.ts'
import type { UploadEvent } from '#src/local/uploads/model/machine.ts'
import type { UploadClaim } from '#src/local/uploads/model/upload-claim.ts'
import type { ServerUpload, UploadDeps } from '#src/local/uploads/ports.ts'

/**
 * What it means that the server takes no more parts of an upload. Compares its hash of the whole
 * with that of this device's parts; only a hash that both computed is kept. It stays unknown where
 * another device sent some of the parts.
 */
export async function endedAtServer(
  { digest }: Pick<UploadDeps, 'digest'>,
  claim: Pick<UploadClaim, 'row' | 'parts'>,
  server: Pick<ServerUpload, 'state' | 'treeSha256'>,
): Promise<UploadEvent> {
  if (server.state === 'aborted') return { kind: 'gone' }
  const parts = claim.parts.safeInOrder()
  if (server.treeSha256 === null || parts.length !== claim.row().plan?.partCount)
    return { kind: 'completed', treeSha256: null }
  const ours = await treeHash(
    digest,
    parts.map(({ sha256 }) => sha256),
  )
  return server.treeSha256 === ours
    ? { kind: 'completed', treeSha256: ours }
    : { kind: 'fail', code: 'upload/mismatch', message: null }
}
