import { PullFailure } from '#src/components/help/PullFailure.tsx'
import { usePreviewSource, type PreviewSource } from '#src/hooks/previews/use-preview-video.ts'
import { usePresets } from '#src/hooks/edits/use-presets.ts'
import { useEditsAgain, type EditsAgain } from './use-edit-sets.ts'
import { useEditsToBeginWith } from '#src/hooks/edits/use-selection.ts'
import { useWalletTotal } from '#src/hooks/pay/use-wallets.ts'
import { paths } from '#src/config/paths.ts'
import { editPrice, priceTotal } from '#src/local/edits/price.ts'
import type { TaskRequest } from '#src/local/edits/task-requests.ts'
import { Notice } from '#src/ui/Notice.tsx'
import { Skeleton } from '#src/ui/Skeleton.tsx'
import { servedUpload } from '#src/features/upload/upload-queries.ts'
import { ExcerptOffer } from '#src/features/upload/first/ExcerptOffer.tsx'
import { AbsentUpload } from './AbsentUpload.tsx'
import { FormatPicker } from './FormatPicker.tsx'
import { offeredPresets } from './offered-presets.ts'
import { EditSets } from './EditSets.tsx'
import { fitRequests } from './fit-requests.ts'
import { isChosen } from './selection.ts'
import { SaveSet } from './SaveSet.tsx'
import { SummaryBar } from './SummaryBar.tsx'
import { unfitEdits, unmetNeeds, type KnownVideo } from './unmet-needs.ts'
import { RemoteUploadBlock, UploadBlock } from './UploadBlock.tsx'
import { useSavedSelection } from './use-saved-selection.ts'
import { useSubmit } from './use-submit.ts'
import { useVideoToEdit } from './use-video-to-edit.ts'

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
  const subject = useVideoToEdit(uploadRequestId, paths.newMediaJob)
  const previewSource = usePreviewSource(
    subject.row ?? null,
    servedUpload(uploadRequestId, subject.remote.data),
  )
  const beginWith = useEditsToBeginWith(uploadRequestId)
  const again = useEditsAgain(uploadRequestId)
  if (subject.absence !== null) return <AbsentUpload absence={subject.absence} />
  const { row, remote } = subject
  // All at once: what is read first would be pushed away by what stands above it.
  if (row === undefined || beginWith.kind !== 'ready' || again.kind !== 'ready')
    return <Skeleton className="h-[100dvh]" />
  return (
    <>
      {row === null ? null : <UploadBlock row={row} />}
      {row === null && remote.data !== undefined ? (
        <RemoteUploadBlock uploadRequestId={uploadRequestId} upload={remote.data} />
      ) : null}
      {row === null && remote.data === undefined && subject.pull.failure === null ? (
        <Skeleton className="mb-5 h-32 sm:mb-8" />
      ) : null}
      {row === null ? (
        <PullFailure pull={subject.pull} title="Unable to fetch upload request" className="mb-8" />
      ) : null}
      <Picker
        uploadRequestId={uploadRequestId}
        uploadId={row?.id ?? null}
        video={subject.video}
        previewSource={previewSource}
        onSubmitted={onSubmitted}
        isRefused={subject.isRefused}
        initial={beginWith.value}
        again={again.value}
      />
    </>
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
  readonly again: EditsAgain
  readonly onSubmitted: (submissionId: string) => void
}

/** The choice of edits with its sum and the button that submits it. */
function Picker(props: PickerProps) {
  const { uploadRequestId, video, previewSource, isRefused, initial, again } = props
  const presets = usePresets()
  const spendable = useWalletTotal()
  const [selection, onEvent] = useSavedSelection(uploadRequestId, initial)
  const { submit, isSending, attestation } = useSubmit(props)
  if (presets.data === null)
    return presets.failure === null ? (
      <Skeleton className="h-[100dvh]" />
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
      <h2 id="choose-edits" className="mb-2 text-base font-semibold sm:mb-4 sm:text-xl">
        Select formats to generate from your video.
      </h2>
      <EditSets
        again={again}
        chosen={requests}
        fit={(set) => fitRequests(set, { presets: presets.data ?? [], offered, video })}
        onEvent={onEvent}
      />
      {offered.length === 0 ? (
        <Notice>No media job task presets found.</Notice>
      ) : (
        <FormatPicker
          presets={offered}
          video={video}
          selection={{ ...selection, requests }}
          onEvent={onEvent}
          previewSource={previewSource}
          existing={again.existing}
          uploadRequestId={uploadRequestId}
        />
      )}
      <SummaryBar
        submitText="Submit for Editing"
        requests={requests}
        total={priceTotal(
          chosen.map((preset) => editPrice(preset.pricingStrategies, video.durationMs)),
        )}
        spendableCoinAmount={spendable}
        isBusy={isSending}
        isRefused={isRefused}
        unmet={unmetNeeds(chosen, video)}
        unfit={unfitEdits(requests, chosen, video)}
        attestation={attestation}
        aside={<BesideSum uploadId={props.uploadId} requests={requests} />}
        onSubmit={() => void submit(requests)}
      />
    </section>
  )
}

/** What of the choice is sent first, and the button that keeps the choice as a set. */
function BesideSum({
  uploadId,
  requests,
}: Pick<PickerProps, 'uploadId'> & { readonly requests: readonly TaskRequest[] }) {
  return (
    <>
      {uploadId === null ? null : <ExcerptOffer uploadId={uploadId} requests={requests} />}
      <SaveSet requests={requests} />
    </>
  )
}
