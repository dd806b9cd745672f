import { read, withSignal, type Pull } from './pull.ts'
import { send } from '#src/api/send.ts'
import { FACTS, writeFact } from '#src/local/db/facts.ts'
import { ok } from '#src/lib/result.ts'

/** As many as a list of recent uploads shows. */
const RECENT_COUNT = 20

/** The newest uploads for edits, of all devices, as one fact. */
export const pullUploads: Pull<[]> = async (deps, signal) => {
  const pulledAtEpochMs = deps.clock.now()
  const query = { purpose: 'media-job', limit: RECENT_COUNT } as const
  const answer = await read(deps, () => send(deps.api.GET('/v1/upload-requests', { params: { query }, ...withSignal(signal) })), signal)
  if (!answer.ok) return answer
  const summaries = answer.value.uploadRequests.map(({ _id, upload, uploadEndedAt, isValidated, isFailed, createdAt }) => ({
    uploadRequestId: _id, name: upload.metadata.clientFilename, sizeBytes: upload.metadata.clientFileSize, hasEnded: uploadEndedAt !== null, isValidated, isFailed, createdAt,
  }))
  await writeFact(deps.db, FACTS.uploads, summaries, pulledAtEpochMs)
  return ok(null)
}
