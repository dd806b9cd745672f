import { useState } from 'react'
import { serverProblemCopy } from '#src/components/problem/server-copy.ts'
import { isFileRefused } from '#src/components/upload-words/actions.ts'
import { useOutboxActions } from '#src/hooks/use-outbox.ts'
import { usePreviewSource, type PreviewSource } from '#src/hooks/use-preview-video.ts'
import { usePresets } from '#src/hooks/use-presets.ts'
import { useEditsToBeginWith, useSaveSelection, useSelection } from '#src/hooks/use-selection.ts'
import { useWalletTotal } from '#src/hooks/use-wallets.ts'
import { failureOf } from '#src/hooks/query-client.ts'
import { statusOf } from '#src/api/errors.ts'
import { paths } from '#src/config/paths.ts'
import { editPrice, priceTotal } from '#src/local/edits/price.ts'
import type { TaskRequest } from '#src/local/edits/task-requests.ts'
import { Button } from '#src/ui/Button.tsx'
import { LinkButton } from '#src/ui/LinkButton.tsx'
import { Notice } from '#src/ui/Notice.tsx'
import { Skeleton } from '#src/ui/Skeleton.tsx'
import { useToasts } from '#src/ui/toasts-context.ts'
import { FormatPicker, offeredPresets } from './FormatPicker.tsx'
import { isChosen, reduceSelection, type Selection, type SelectionEvent } from './selection.ts'
import { SummaryBar } from './SummaryBar.tsx'
import { UnmetNeeds } from './UnmetNeeds.tsx'
import { knownOf, unmetNeeds, type KnownVideo } from './unmet-needs.ts'
import { RemoteUploadBlock, UploadBlock } from './UploadBlock.tsx'
import { useRemoteUpload } from '#src/features/upload/upload-queries.ts'
import { useFollowedUpload } from './use-followed-upload.ts'

/**
 * The second step: the upload goes on above, the edits are chosen below; each change is kept on
 * this device.
 */
export function ChooseFormats({
  uploadRequestId,
  onSubmitted,
}: {
  readonly uploadRequestId: string
  readonly onSubmitted: (submissionId: string) => void
}) {
  const saved = useSelection(uploadRequestId)
  const row = useFollowedUpload(uploadRequestId, saved.kind === 'ready' ? (saved.value ?? []) : [])
  const previewSource = usePreviewSource(row ?? null)
  const remote = useRemoteUpload(uploadRequestId, row === null)
  const beginWith = useEditsToBeginWith(uploadRequestId)
  const failure = failureOf(remote.error)
  if (row === null && remote.data?.isGone === true) {
    return (
      <Notice
        title="This upload no longer exists"
        action={<LinkButton to={paths.newUpload}>Upload a video</LinkButton>}
      >
        It was discarded, or it was removed because it was never finished. You can upload the same
        video again.
      </Notice>
    )
  }
  if (row === null && failure !== null && statusOf(failure) === 404) {
    return (
      <Notice
        kind="error"
        title="Failed to fetch upload request"
        action={<LinkButton to={paths.newUpload}>Upload a video</LinkButton>}
      >
        This upload could not be found. It may have been discarded.
      </Notice>
    )
  }
  const here = knownOf(row?.probe ?? null)
  const known = {
    durationMs: here.durationMs ?? remote.data?.durationMs ?? null,
    hasAudio: here.hasAudio ?? remote.data?.hasAudio ?? null,
  }
  return (
    <>
      {row === null || row === undefined ? null : <UploadBlock row={row} />}
      {row === null && remote.data !== undefined ? (
        <RemoteUploadBlock upload={remote.data} />
      ) : null}
      {row === null && failure !== null ? (
        <Notice
          kind="warning"
          className="mb-8"
          title="Unable to fetch upload request"
          action={
            <Button variant="secondary" onPress={() => void remote.refetch()}>
              Try again
            </Button>
          }
        >
          {serverProblemCopy(failure).title}
        </Notice>
      ) : null}
      {beginWith.kind === 'ready' ? (
        <Picker
          uploadRequestId={uploadRequestId}
          uploadId={row?.id ?? null}
          video={known}
          previewSource={row === undefined ? null : previewSource}
          onSubmitted={onSubmitted}
          isRefused={
            row === null || row === undefined
              ? remote.data?.isFailed === true
              : isFileRefused(row.state)
          }
          initial={beginWith.value}
        />
      ) : (
        <Skeleton className="h-96" />
      )}
    </>
  )
}

interface PickerProps {
  readonly uploadRequestId: string
  readonly uploadId: string | null
  readonly video: KnownVideo
  readonly previewSource: PreviewSource | null
  /** The video could not be used: nothing can be ordered of it. */
  readonly isRefused: boolean
  readonly initial: readonly TaskRequest[]
  readonly onSubmitted: (submissionId: string) => void
}

function Picker({
  uploadRequestId,
  uploadId,
  video,
  previewSource,
  isRefused,
  initial,
  onSubmitted,
}: PickerProps) {
  const presets = usePresets()
  const spendable = useWalletTotal()
  const save = useSaveSelection(uploadRequestId)
  const outbox = useOutboxActions()
  const toasts = useToasts()
  const [selection, setSelection] = useState<Selection>({ requests: initial, optionsOf: null })
  const [isSending, setIsSending] = useState(false)
  const offered = offeredPresets(presets.data ?? [])
  // A preset that was chosen earlier and is not offered any more cannot be ordered.
  const requests = selection.requests.filter((request) =>
    offered.some((preset) => preset.slug === request.mediaJobTaskPresetSlug),
  )
  const chosen = offered.filter((preset) => isChosen(requests, preset.slug))
  const total = priceTotal(
    chosen.map((preset) => editPrice(preset.pricingStrategies, video.durationMs)),
  )
  const unmet = unmetNeeds(chosen, video)
  const onEvent = (event: SelectionEvent) => {
    const next = reduceSelection(selection, event)
    setSelection(next)
    if (next.requests !== selection.requests)
      void save(next.requests).catch(() =>
        toasts.show('warning', 'This device could not save your choice.'),
      )
  }
  const submit = async () => {
    if (outbox === null) return
    setIsSending(true)
    try {
      onSubmitted(
        await outbox.submit({ uploadId, uploadRequestId, requests, selectionKey: uploadRequestId }),
      )
    } catch {
      // Storage of the device refused (full, or being wiped); the choice is still on the screen.
      toasts.show(
        'error',
        'This device could not save your order, so nothing was sent. Free up some space and submit again.',
      )
      setIsSending(false)
    }
  }
  if (presets.data === null) {
    return presets.failure === null ? (
      <Skeleton className="h-96" />
    ) : (
      <Notice
        kind="error"
        title={
          presets.failure.code === 'api/unexpected'
            ? 'Unable to fetch media job task presets'
            : serverProblemCopy(presets.failure).title
        }
        action={
          <Button variant="secondary" onPress={presets.refresh}>
            Try again
          </Button>
        }
      />
    )
  }
  return (
    <section aria-labelledby="choose-edits">
      <h2 id="choose-edits" className="mb-4 text-xl font-semibold">
        Select formats to generate from your video.
      </h2>
      {offered.length === 0 ? (
        <Notice>No media job task presets found.</Notice>
      ) : (
        <FormatPicker
          presets={offered}
          video={video}
          selection={{ ...selection, requests }}
          onEvent={onEvent}
          previewSource={previewSource}
        />
      )}
      <SummaryBar
        count={requests.length}
        total={total}
        spendableCoinAmount={spendable}
        isBusy={isSending}
        isBlocked={isRefused || unmet.some(({ verdict }) => verdict === 'block')}
        onSubmit={() => void submit()}
        notice={
          isRefused ? (
            <Notice kind="error" className="mb-3">
              This video could not be used, so it cannot be edited.
            </Notice>
          ) : (
            <UnmetNeeds findings={unmet} />
          )
        }
      />
    </section>
  )
}
