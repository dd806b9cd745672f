import { useState } from 'react'
import type { ApiFailure } from '#src/api/errors.ts'
import { SendButton } from '#src/components/help/SendButton.tsx'
import { TryAgain } from '#src/components/help/TryAgain.tsx'
import { serverProblemCopy } from '#src/components/problem/server-copy.ts'
import {
  isUnderWay,
  useCancelDriveSaves,
  useStartDriveSaves,
  type DriveSave,
} from './use-drive-saves.ts'
import type { Result } from '#src/lib/result.ts'
import { ProgressBar } from '#src/ui/ProgressBar.tsx'
import { TextLink } from '#src/ui/TextLink.tsx'
import { ConnectDrive } from '#src/components/drive/ConnectDrive.tsx'
import { bytesOf, underWayWords } from './drive-save-words.ts'

interface SavedToDriveProps {
  /** Of one edit. */
  readonly saves: readonly DriveSave[]
  /** What the edit is called. */
  readonly name: string
  readonly isOnline: boolean
}

/** How far the files of one edit are on their way to a drive; nothing where none was asked for. */
export function SavedToDrive({ saves, ...shown }: SavedToDriveProps) {
  const underWay = saves.filter(isUnderWay)
  const failed = saves.filter(({ state }) => state === 'failed')
  const saved = saves.filter(({ state }) => state === 'saved')
  if (underWay.length + failed.length + saved.length === 0) return null
  return (
    <div className="flex flex-col gap-2 text-sm">
      {underWay.length === 0 ? null : <UnderWay saves={underWay} {...shown} />}
      {failed.length === 0 ? null : <Failed saves={failed} {...shown} />}
      {saved.length === 0 ? null : <Saved saves={saved} />}
    </div>
  )
}

function UnderWay({ saves, name, isOnline }: SavedToDriveProps) {
  const [first] = saves
  const { failure, isPending, mutate } = useReported(useCancelDriveSaves())
  const { sizeBytes, savedBytes } = bytesOf(saves)
  const isSignedOut = saves.some(({ waitsFor }) => waitsFor === 'sign-in')
  const cancel = () => {
    if (first !== undefined) mutate({ mediaJobId: first.mediaJobId, taskId: first.taskId })
  }
  return (
    <>
      <ProgressBar
        label={`${name}: saving to Google Drive`}
        isLabelHidden
        percent={sizeBytes === 0 ? 0 : (savedBytes / sizeBytes) * 100}
      />
      <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-2">
        <p className="min-w-0 text-ink-muted tabular-nums">
          {underWayWords(saves)}
          {isOnline ? null : ' (as last known)'}
        </p>
        <span className="flex flex-wrap gap-2">
          {isSignedOut ? (
            <ConnectDrive
              label="Reconnect"
              provider="google-oauth"
              variant="secondary"
              size="small"
            />
          ) : null}
          <SendButton
            sends="DELETE /v1/media-jobs/{id}/drive-saves"
            variant="secondary"
            size="small"
            onPress={cancel}
            isBusy={isPending}
            isDisabled={!isOnline}
            label={`Cancel saving: ${name}`}
          >
            Cancel
          </SendButton>
        </span>
      </div>
      <Failure failure={failure} />
    </>
  )
}

function Failed({ saves, name, isOnline }: SavedToDriveProps) {
  const [first] = saves
  const { failure, isPending, mutate } = useReported(useStartDriveSaves())
  const again = () => {
    if (first === undefined) return
    const { mediaJobId, externalAuthId, taskId } = first
    mutate({ mediaJobId, externalAuthId, taskIds: [taskId] })
  }
  const messages = new Set(saves.flatMap((save) => save.failure?.message ?? []))
  return (
    <>
      {[...messages].map((message) => (
        <p key={message} className="text-bad">
          {message}
        </p>
      ))}
      <div>
        <TryAgain
          failure={failure}
          size="small"
          onPress={again}
          isBusy={isPending}
          isDisabled={!isOnline}
          label={`Try saving again: ${name}`}
        >
          Try again
        </TryAgain>
      </div>
      <Failure failure={failure} />
    </>
  )
}

function Saved({ saves }: Pick<SavedToDriveProps, 'saves'>) {
  return (
    <p className="text-ink-muted">
      Saved to Google Drive:{' '}
      {saves.map(({ _id, driveUrl, fileName }, at) => (
        <span key={_id}>
          {at === 0 ? null : ', '}
          {driveUrl === null ? (
            fileName
          ) : (
            <TextLink to={driveUrl} isNewTab className="wrap-anywhere">
              {fileName}
            </TextLink>
          )}
        </span>
      ))}
    </p>
  )
}

function Failure({ failure }: { readonly failure: ApiFailure | null }) {
  if (failure === null) return null
  const { title, body } = serverProblemCopy(failure)
  return (
    <p role="alert" className="text-bad">
      {title} {body}
    </p>
  )
}

interface Call<I> {
  readonly isPending: boolean
  mutate(
    input: I,
    options: { readonly onSuccess: (result: Result<null, ApiFailure>) => void },
  ): void
}

/** A call that keeps why the server refused it last. */
function useReported<I>(call: Call<I>) {
  const [failure, setFailure] = useState<ApiFailure | null>(null)
  return {
    failure,
    isPending: call.isPending,
    mutate: (input: I) =>
      call.mutate(input, { onSuccess: (done) => setFailure(done.ok ? null : done.error) }),
  }
}
