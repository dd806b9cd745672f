import { useEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import { paths } from '#src/config/paths.ts'
import { useIsUploaded } from '#src/features/upload/use-is-uploaded.ts'
import { useUploadJob } from '#src/hooks/edits/use-media-job.ts'
import { useOutboxActions, useSubmission } from '#src/hooks/sync/use-outbox.ts'
import { usePresets } from '#src/hooks/edits/use-presets.ts'
import { useSaveSelection } from '#src/hooks/edits/use-selection.ts'
import { useUploadByRequestId } from '#src/hooks/uploads/use-upload.ts'
import { Skeleton } from '#src/ui/Skeleton.tsx'
import { ChooseFormats } from './ChooseFormats.tsx'
import { ChosenEdits } from '#src/features/upload/order/ChosenEdits.tsx'
import { flowMove, flowState, type FlowFacts } from '#src/features/upload/flow-state.ts'
import { PreparingOrder } from '#src/features/upload/order/PreparingOrder.tsx'
import { FlowFrame } from '#src/features/upload/FlowFrame.tsx'

/**
 * `/uploads/{id}/media-jobs/new`: the choice of formats, and after Submit the preparation until the
 * job exists.
 */
export function FormatsStep({ uploadRequestId }: { readonly uploadRequestId: string }) {
  const navigate = useNavigate()
  const [submittedId, setSubmittedId] = useState<string | null>(null)
  const submission = useSubmission(submittedId ?? uploadRequestId)
  const job = useUploadJob(uploadRequestId)
  const presets = usePresets()
  const upload = useUploadByRequestId(uploadRequestId)
  const isUploaded = useIsUploaded(uploadRequestId)
  const outbox = useOutboxActions()
  const save = useSaveSelection(uploadRequestId)
  const pending = submission.kind === 'ready' ? submission.value : undefined
  const facts: FlowFacts = {
    route: { kind: 'formats', uploadRequestId },
    submission: pending,
    awaited: null,
    job: undefined,
    order: undefined,
  }
  const state = flowState(facts)
  const move = flowMove(facts)
  // The server may answer before this screen sees the submission: then the job is the newest of the
  // upload.
  const fastJobId =
    submittedId !== null && pending === null && job.kind === 'ready'
      ? (job.value?._id ?? null)
      : null
  const mediaJobId = move?.kind === 'status' ? move.mediaJobId : fastJobId
  useEffect(() => {
    if (mediaJobId !== null) void navigate(paths.mediaJobStatus(mediaJobId), { replace: true })
  }, [mediaJobId, navigate])
  const change = async () => {
    if (state.view !== 'preparing') return
    setSubmittedId(null)
    await save(state.submission.intent.requests)
    await outbox?.discard(state.submission.id)
  }
  return (
    <FlowFrame step={state.step} isUploaded={isUploaded}>
      {submission.kind === 'loading' ? <Skeleton className="h-96" /> : null}
      {submission.kind !== 'loading' && state.view === 'preparing' ? (
        <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_22rem]">
          <PreparingOrder submission={state.submission} />
          <ChosenEdits
            requests={state.submission.intent.requests}
            presets={presets.data ?? []}
            durationMs={upload?.probe?.durationMs ?? null}
            onChange={() => void change()}
          />
        </div>
      ) : null}
      {submission.kind !== 'loading' && state.view !== 'preparing' ? (
        <ChooseFormats
          key={uploadRequestId}
          uploadRequestId={uploadRequestId}
          onSubmitted={setSubmittedId}
        />
      ) : null}
    </FlowFrame>
  )
}
