import { useState } from 'react'
import { useLocation, useNavigationType } from 'react-router'
import { PullFailure } from '#src/components/help/PullFailure.tsx'
import { UploadControls } from '#src/components/uploads/UploadControls.tsx'
import { UploadProgress } from '#src/components/uploads/UploadProgress.tsx'
import { olderFlow, olderFlowPath } from '#src/config/paths.ts'
import { useEditsToBeginWith } from '#src/hooks/edits/use-selection.ts'
import { useSubmission, type SubmissionRow } from '#src/hooks/sync/use-outbox.ts'
import { Card } from '#src/ui/Card.tsx'
import { Notice } from '#src/ui/Notice.tsx'
import { Page } from '#src/ui/Page.tsx'
import { ProgressBar } from '#src/ui/ProgressBar.tsx'
import { Skeleton } from '#src/ui/Skeleton.tsx'
import { ContinueElsewhere } from '#src/components/uploads/ContinueElsewhere.tsx'
import type { RemoteUpload } from '#src/features/upload/upload-queries.ts'
import { AbsentUpload } from '#src/features/upload/formats/AbsentUpload.tsx'
import { useVideoToEdit, type VideoToEdit } from '#src/features/upload/formats/use-video-to-edit.ts'
import { readArrival } from './arrival.ts'
import { OlderUpload } from './OlderUpload.tsx'
import { SelectPresets } from './SelectPresets.tsx'
import { SentEdits } from './SentEdits.tsx'
import { useOlderUpload } from './use-older-upload.ts'

/**
 * `/select-media-job-task-presets`: the older selection of formats (FMT-08), on one page without
 * steps.
 */
export function SelectPresetsScreen() {
  const upload = useOlderUpload()
  return (
    <Page title="Select formats to generate from your video.">
      <ArrivalNotice />
      <OlderUpload upload={upload}>
        {(uploadRequestId) => <OneUpload key={uploadRequestId} uploadRequestId={uploadRequestId} />}
      </OlderUpload>
    </Page>
  )
}

/** What the screen before had to say. Not again after a reload or on the way back. */
function ArrivalNotice() {
  const arrival = readArrival(useLocation().state)
  const isArrival = useNavigationType() !== 'POP'
  return arrival === null || !isArrival ? null : (
    <Notice kind={arrival.kind} isLive className="mb-6">
      {arrival.text}
    </Notice>
  )
}

/** The choice for one upload; once it is sent, its order in preparation. */
function OneUpload({ uploadRequestId }: { readonly uploadRequestId: string }) {
  const [sentId, setSentId] = useState<string | null>(null)
  const submission = useSubmission(sentId ?? uploadRequestId)
  const [seen, setSeen] = useState<SubmissionRow | null>(null)
  if (submission.kind === 'loading') return <Skeleton className="h-96" />
  const pending = submission.kind === 'ready' ? submission.value : null
  if (pending !== null && pending !== seen) setSeen(pending)
  const isSent = pending !== null || seen !== null || sentId !== null
  return isSent ? (
    <SentEdits
      uploadRequestId={uploadRequestId}
      pending={pending}
      seen={seen}
      onTakeBack={() => {
        setSentId(null)
        setSeen(null)
      }}
    />
  ) : (
    <Choose uploadRequestId={uploadRequestId} onSent={setSentId} />
  )
}

function Choose({
  uploadRequestId,
  onSent,
}: {
  readonly uploadRequestId: string
  readonly onSent: (submissionId: string) => void
}) {
  const subject = useVideoToEdit(uploadRequestId, (id) => olderFlowPath(olderFlow.select, id))
  const beginWith = useEditsToBeginWith(uploadRequestId)
  if (subject.absence !== null) return <AbsentUpload absence={subject.absence} />
  return (
    <>
      <Uploaded uploadRequestId={uploadRequestId} subject={subject} />
      {/* An upload that is not read yet would be sent as one of another device. */}
      {beginWith.kind === 'ready' && subject.row !== undefined ? (
        <SelectPresets
          uploadRequestId={uploadRequestId}
          subject={subject}
          initial={beginWith.value}
          onSent={onSent}
        />
      ) : (
        <Skeleton className="h-96" />
      )}
    </>
  )
}

/** How much of the video is uploaded, with everything that can be done about it. */
function Uploaded({
  subject: { row, remote, pull },
  ...rest
}: {
  readonly uploadRequestId: string
  readonly subject: VideoToEdit
}) {
  if (row !== null && row !== undefined)
    return (
      <Card as="section" labelledBy="uploaded-video" className="mb-8">
        <h2
          id="uploaded-video"
          title={row.file.name}
          className="mb-4 line-clamp-3 font-semibold wrap-break-word"
        >
          {row.file.name}
        </h2>
        <div className="grid gap-4 xl:grid-cols-[minmax(0,1fr)_auto] xl:items-end">
          <UploadProgress row={row} barLabel="Uploaded" />
          <UploadControls row={row} />
        </div>
      </Card>
    )
  return (
    <>
      <PullFailure pull={pull} title="Unable to fetch upload request" className="mb-8" />
      {remote.data === undefined ? null : <UploadedElsewhere upload={remote.data} {...rest} />}
    </>
  )
}

/** The same for an upload that this device does not hold. */
function UploadedElsewhere({
  uploadRequestId,
  upload,
}: {
  readonly uploadRequestId: string
  readonly upload: RemoteUpload
}) {
  const { name, sizeBytes, open } = upload
  const safeBytes = upload.isCompleted ? sizeBytes : (open?.safeBytes ?? 0)
  return (
    <Card as="section" labelledBy="uploaded-video" className="mb-8">
      <h2
        id="uploaded-video"
        title={name}
        className="mb-4 line-clamp-3 font-semibold wrap-break-word"
      >
        {name}
      </h2>
      <ProgressBar
        label="Uploaded"
        percent={sizeBytes === 0 ? 0 : (safeBytes / sizeBytes) * 100}
        isFailed={upload.isFailed}
        className="mb-4"
      />
      {open === null ? null : (
        <ContinueElsewhere
          uploadRequestId={uploadRequestId}
          name={name}
          sizeBytes={sizeBytes}
          open={open}
        />
      )}
      {upload.isFailed ? (
        <Notice kind="error" title="This video could not be used">
          {upload.failureReason ?? 'Please upload another file.'}
        </Notice>
      ) : null}
    </Card>
  )
}
