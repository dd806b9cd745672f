import { useState } from 'react'
import { PullFailure } from '#src/components/PullFailure.tsx'
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
import { LinkButton } from '#src/ui/LinkButton.tsx'
import { Notice } from '#src/ui/Notice.tsx'
import { Skeleton } from '#src/ui/Skeleton.tsx'
import { useToasts } from '#src/ui/toasts-context.ts'
import { FormatPicker, offeredPresets } from './FormatPicker.tsx'
import { isChosen, reduceSelection, type Selection, type SelectionEvent } from './selection.ts'
import { SummaryBar } from './SummaryBar.tsx'
import { knownOf, unmetNeeds, type KnownVideo } from './unmet-needs.ts'
import { RemoteUploadBlock, UploadBlock } from './UploadBlock.tsx'
import { useRemoteUpload } from '#src/features/upload/upload-queries.ts'
import { useFollowedUpload } from './use-followed-upload.ts'

/**
 * The second step: the upload continues above, the edits are chosen below. Each change of the
 * choice is saved on this device.
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
  if (row === null && remote.data?.isGone === true) return <UploadGone />
  if (row === null && failure !== null && statusOf(failure) === 404) return <UploadNotFound />
  const here = knownOf(row?.probe ?? null)
  return (
    <>
      {row === null || row === undefined ? null : <UploadBlock row={row} />}
      {row === null && remote.data !== undefined ? (
        <RemoteUploadBlock uploadRequestId={uploadRequestId} upload={remote.data} />
      ) : null}
      {row === null ? (
        <PullFailure
          pull={{
            data: remote.data ?? null,
            failure,
            asOfEpochMs: remote.dataUpdatedAt,
            isFetching: remote.isFetching,
            refresh: () => void remote.refetch(),
          }}
          title="Unable to fetch upload request"
          className="mb-8"
        />
      ) : null}
      {beginWith.kind === 'ready' ? (
        <Picker
          uploadRequestId={uploadRequestId}
          uploadId={row?.id ?? null}
          video={{
            durationMs: here.durationMs ?? remote.data?.durationMs ?? null,
            hasAudio: here.hasAudio ?? remote.data?.hasAudio ?? null,
          }}
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

function UploadGone() {
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

function UploadNotFound() {
  return (
    <Notice
      kind="error"
      title="Failed to fetch upload request"
      action={<LinkButton to={paths.newUpload}>Upload a video</LinkButton>}
    >
      This upload is not in this account. It may belong to another account, or have been discarded.
      Uploads of other accounts are kept until their owner logs in.
    </Notice>
  )
}

interface PickerProps {
  readonly uploadRequestId: string
  readonly uploadId: string | null
  readonly video: KnownVideo
  readonly previewSource: PreviewSource | null
  /** The video could not be used: no edit of it can be ordered. */
  readonly isRefused: boolean
  readonly initial: readonly TaskRequest[]
  readonly onSubmitted: (submissionId: string) => void
}

/** The choice of edits with its sum and the button that submits it. */
function Picker(props: PickerProps) {
  const { uploadRequestId, video, previewSource, isRefused, initial } = props
  const presets = usePresets()
  const spendable = useWalletTotal()
  const [selection, onEvent] = useSavedSelection(uploadRequestId, initial)
  const { submit, isSending } = useSubmit(props)
  if (presets.data === null)
    return presets.failure === null ? (
      <Skeleton className="h-96" />
    ) : (
      <PullFailure pull={presets} title="Unable to fetch media job task presets" />
    )
  const offered = offeredPresets(presets.data)
  // A preset that was chosen earlier and is no longer offered cannot be ordered.
  const requests = selection.requests.filter((request) =>
    offered.some((preset) => preset.slug === request.mediaJobTaskPresetSlug),
  )
  const chosen = offered.filter((preset) => isChosen(requests, preset.slug))
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
        total={priceTotal(
          chosen.map((preset) => editPrice(preset.pricingStrategies, video.durationMs)),
        )}
        spendableCoinAmount={spendable}
        isBusy={isSending}
        isRefused={isRefused}
        unmet={unmetNeeds(chosen, video)}
        onSubmit={() => void submit(requests)}
      />
    </section>
  )
}

/** The selection of an upload; each change of it is saved on this device. */
function useSavedSelection(
  uploadRequestId: string,
  initial: readonly TaskRequest[],
): readonly [Selection, (event: SelectionEvent) => void] {
  const save = useSaveSelection(uploadRequestId)
  const toasts = useToasts()
  const [selection, setSelection] = useState<Selection>({ requests: initial, optionsOf: null })
  const onEvent = (event: SelectionEvent) => {
    const next = reduceSelection(selection, event)
    setSelection(next)
    if (next.requests !== selection.requests)
      void save(next.requests).catch(() =>
        toasts.show('warning', 'This device could not save your choice.'),
      )
  }
  return [selection, onEvent]
}

/** Puts the order into the outbox of this device and reports its id. */
function useSubmit({
  uploadId,
  uploadRequestId,
  onSubmitted,
}: Pick<PickerProps, 'uploadId' | 'uploadRequestId' | 'onSubmitted'>) {
  const outbox = useOutboxActions()
  const toasts = useToasts()
  const [isSending, setIsSending] = useState(false)
  const submit = async (requests: readonly TaskRequest[]) => {
    if (outbox === null) return
    setIsSending(true)
    try {
      onSubmitted(
        await outbox.submit({ uploadId, uploadRequestId, requests, selectionKey: uploadRequestId }),
      )
    } catch {
      // The device's storage refused (full, or being wiped); the choice is still on the screen.
      toasts.show(
        'error',
        'This device could not save your order, so nothing was sent. Free up some space and submit again.',
      )
      setIsSending(false)
    }
  }
  return { submit, isSending }
}
