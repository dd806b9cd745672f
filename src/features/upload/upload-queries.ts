import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { send } from '#src/api/send.ts'
import { withServerTime } from '#src/api/server-time.ts'
import type { OpenUpload } from '#src/local/db/facts.ts'
import { useAccount, useLocal } from '#src/hooks/device/local-context.ts'
import type { ServedUpload } from '#src/local/previews/preview.ts'
import { valueOrThrow } from '#src/hooks/sync/query-client.ts'
import type { Finding } from '#src/local/probe/report.ts'
import { IMPORT_MS } from '#src/local/sync/intervals.ts'
import type { Trim } from '#src/local/uploads/page/trim.ts'
import { isDeletedUpload, toOpenUpload } from '#src/local/sync/uploads.ts'

/**
 * What the screen needs to know about an upload that this device does not hold. Leaves out signed
 * addresses.
 */
export interface RemoteUpload {
  readonly name: string
  readonly sizeBytes: number
  /** Only this of the file was sent; null = the whole, also at a server that does not say. */
  readonly trim: Trim | null
  readonly durationMs: number | null
  readonly hasAudio: boolean | null
  readonly hasWideSound: boolean | null
  readonly isCompleted: boolean
  readonly isValidated: boolean
  readonly isFailed: boolean
  /** The server fails at its check and goes on trying. */
  readonly isCheckLate: boolean
  /** Discarded by its owner, or removed because it was never finished: the video is gone. */
  readonly isGone: boolean
  /** Its video had arrived and was deleted from the server. */
  readonly isDeleted: boolean
  /** Null once it takes no parts any more. */
  readonly open: OpenUpload | null
  readonly failureReason: string | null
  /** The server's findings; empty until it has checked the video. */
  readonly findings: readonly Finding[]
}

const REMOTE_UPLOAD_POLL_MS = 10_000

/**
 * An upload request as the server has it, for uploads that another device made. Polls the server
 * until the video is checked.
 */
export function useRemoteUpload(
  uploadRequestId: string,
  isWanted: boolean,
): UseQueryResult<RemoteUpload> {
  const { api, clock } = useLocal()
  const account = useAccount()
  return useQuery<RemoteUpload>({
    queryKey: ['upload-request', account?.userId ?? null, uploadRequestId],
    enabled: account !== null && isWanted,
    // Who comes back to the screen wants to know whether it has arrived meanwhile.
    staleTime: 0,
    refetchInterval: (query) =>
      query.state.data === undefined ||
      query.state.data.isValidated ||
      query.state.data.isFailed ||
      query.state.data.isGone
        ? false
        : query.state.data.open?.fetching
          ? IMPORT_MS
          : REMOTE_UPLOAD_POLL_MS,
    queryFn: async ({ signal }): Promise<RemoteUpload> => {
      const askedAtEpochMs = clock.now()
      const { uploadRequest, ...time } = valueOrThrow(
        await send(
          api
            .GET('/v1/upload-requests/{id}', { params: { path: { id: uploadRequestId } }, signal })
            .then(withServerTime),
        ),
      )
      const {
        upload,
        sourceMetadata,
        uploadEndedAt,
        isValidated,
        isFailed,
        isCheckLate = false,
        failureReason,
        findings,
        state,
      } = uploadRequest
      return {
        name: upload.metadata.clientFilename,
        sizeBytes: upload.metadata.clientFileSize,
        trim: upload.trim ?? null,
        durationMs: sourceMetadata?.duration ?? null,
        hasAudio: sourceMetadata?.hasAudio ?? null,
        hasWideSound: sourceMetadata?.hasWideSound ?? null,
        isCompleted: uploadEndedAt !== null,
        isValidated,
        isFailed,
        isCheckLate,
        isGone: state === 'aborted',
        isDeleted: isDeletedUpload(uploadRequest),
        open: toOpenUpload(uploadRequest, time, askedAtEpochMs),
        failureReason,
        findings: findings ?? [],
      }
    },
  })
}

/** The video as previews can be asked for at the server; null before its check, and without one. */
export function servedUpload(
  uploadRequestId: string,
  remote: RemoteUpload | undefined,
): ServedUpload | null {
  if (remote === undefined || !remote.isValidated || remote.isDeleted || remote.isGone) return null
  return { uploadRequestId, name: remote.name, sizeBytes: remote.sizeBytes }
}
