import { immersiveIn } from '#checks/quick-rules.ts'
import { statusOf } from '#src/api/errors.ts'
import { isFileRefused } from '#src/components/upload-words/actions.ts'
import { failureOf } from '#src/hooks/sync/query-client.ts'
import type { Shown } from '#src/hooks/sync/shown.ts'
import { useIsDeleted } from './use-is-deleted.ts'
import { useTakenSound } from '#src/hooks/uploads/use-upload-sounds.ts'
import { useSelection } from '#src/hooks/edits/use-selection.ts'
import type { UploadRow } from '#src/local/db/rows.ts'
import { withSound } from '#src/local/probe/with-sound.ts'
import { useRemoteUpload, type RemoteUpload } from '#src/features/upload/upload-queries.ts'
import { knownOf, type KnownVideo } from './unmet-needs.ts'
import { useFollowedUpload } from './use-followed-upload.ts'

/**
 * `gone`: discarded or removed. `deleted`: its video had arrived and was deleted from the server.
 * `not-found`: not of this account, as the server says.
 */
export type Absence = 'gone' | 'deleted' | 'not-found'

/** The video that edits are chosen for, from this device's upload or from the server. */
export interface VideoToEdit {
  /** Null where another device has the upload, undefined while it is being read. */
  readonly row: UploadRow | null | undefined
  readonly remote: { readonly data: RemoteUpload | undefined }
  /** How asking the server stands; what a device has counts without it while it is being sent. */
  readonly pull: Pick<
    Shown<RemoteUpload>,
    'data' | 'failure' | 'asOfEpochMs' | 'isFetching' | 'refresh'
  >
  readonly absence: Absence | null
  readonly video: KnownVideo
  /** The video could not be used: no edit of it can be ordered. */
  readonly isRefused: boolean
}

/**
 * What is known of the video of an upload request. Follows an upload that is started over to its
 * new id. @param pathOf the address of the screen for an upload request
 */
export function useVideoToEdit(
  uploadRequestId: string,
  pathOf: (uploadRequestId: string) => string,
): VideoToEdit {
  const saved = useSelection(uploadRequestId)
  const chosen = saved.kind === 'ready' ? (saved.value ?? []) : []
  const followed = useFollowedUpload(uploadRequestId, chosen, pathOf)
  const isListedAsDeleted = useIsDeleted(uploadRequestId)
  // Its receipt offers the video for edits, also where it was deleted.
  const row = isListedAsDeleted === undefined ? undefined : followed
  // A receipt says that the video arrived, not that it is still there.
  const remote = useRemoteUpload(uploadRequestId, row === null || row?.state.kind === 'done')
  const isDeleted = isListedAsDeleted === true || remote.data?.isDeleted === true
  const failure = failureOf(remote.error)
  const taken = useTakenSound(uploadRequestId)
  const sound = taken?.known
  const report = row?.probe ?? null
  const here = knownOf(
    report === null || taken === null ? report : withSound(report, taken.number - 1),
  )
  return {
    row,
    remote: { data: remote.data },
    pull: {
      data: remote.data ?? null,
      failure,
      asOfEpochMs: remote.dataUpdatedAt,
      isFetching: remote.isFetching,
      refresh: () => void remote.refetch(),
    },
    absence: absenceOf(row, {
      remote: remote.data,
      status: failure === null ? null : statusOf(failure),
      isDeleted,
    }),
    video: {
      durationMs: sound?.videoDuration ?? here.durationMs ?? remote.data?.durationMs ?? null,
      hasAudio: here.hasAudio ?? remote.data?.hasAudio ?? null,
      hasWideSound: sound?.hasWideSound ?? here.hasWideSound ?? remote.data?.hasWideSound ?? null,
      immersive: here.immersive ?? immersiveIn(remote.data?.findings ?? []),
    },
    isRefused:
      row === null || row === undefined ? remote.data?.isFailed === true : isFileRefused(row.state),
  }
}

interface KnownOfAbsence {
  readonly remote: RemoteUpload | undefined
  readonly status: number | null
  readonly isDeleted: boolean
}

function absenceOf(
  row: VideoToEdit['row'],
  { remote, status, isDeleted }: KnownOfAbsence,
): Absence | null {
  if (isDeleted) return 'deleted'
  if (row !== null) return null
  if (remote?.isGone === true) return 'gone'
  return status === 404 ? 'not-found' : null
}
