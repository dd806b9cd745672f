import { useEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import { paths } from '#src/config/paths.ts'
import { useIsUploaded } from '#src/features/upload/use-is-uploaded.ts'
import { useOutboxActions, useSubmission, type SubmissionRow } from '#src/hooks/sync/use-outbox.ts'
import { usePresets } from '#src/hooks/edits/use-presets.ts'
import { useRedoSubject } from '#src/hooks/edits/use-redo.ts'
import { useSaveSelection, useSelection } from '#src/hooks/edits/use-selection.ts'
import { redoSelectionKey } from '#src/local/edits/redo.ts'
import { LinkButton } from '#src/ui/LinkButton.tsx'
import { Notice } from '#src/ui/Notice.tsx'
import { Skeleton } from '#src/ui/Skeleton.tsx'
import { FlowFrame } from '#src/features/upload/FlowFrame.tsx'
import { flowMove, flowState, type FlowFacts } from '#src/features/upload/flow-state.ts'
import { ChosenEdits } from '#src/features/upload/order/ChosenEdits.tsx'
import { PreparingOrder } from '#src/features/upload/order/PreparingOrder.tsx'
import { RedoChoice } from './RedoChoice.tsx'

interface MakeAgainStepProps {
  readonly uploadRequestId: string
  readonly taskId: string
}

/**
 * `/uploads/{id}/edits/{taskId}/again`: what is changed of a delivered edit, and after Submit the
 * preparation until the job exists.
 */
export function MakeAgainStep({ uploadRequestId, taskId }: MakeAgainStepProps) {
  const subject = useRedoSubject(uploadRequestId, taskId)
  const isUploaded = useIsUploaded(uploadRequestId)
  const saved = useSelection(redoSelectionKey(taskId))
  const [submittedId, setSubmittedId] = useState<string | null>(null)
  const submission = useSubmission(submittedId ?? taskId)
  const pending = submission.kind === 'ready' ? submission.value : undefined
  const facts: FlowFacts = {
    route: { kind: 'again', uploadRequestId, taskId },
    submission: pending,
    awaited: null,
    job: undefined,
    order: undefined,
  }
  const state = flowState(facts)
  const redo = subject.kind === 'ready' ? (subject.value?.redo ?? null) : null
  // The server may answer before this screen sees the submission.
  const fastJobId = submittedId !== null && pending === null ? (redo?._id ?? null) : null
  useLeadOn(flowMove(facts), fastJobId)
  if (subject.kind !== 'ready' || saved.kind !== 'ready' || submission.kind !== 'ready')
    return (
      <FlowFrame step={state.step} title={TITLE} isUploaded={isUploaded}>
        <Skeleton className="h-96" />
      </FlowFrame>
    )
  return (
    <FlowFrame step={state.step} title={TITLE} isUploaded={isUploaded}>
      {state.view === 'preparing' ? (
        <Preparing
          submission={state.submission}
          durationMs={subject.value?.job.videoDuration ?? null}
          onTakeBack={() => setSubmittedId(null)}
        />
      ) : null}
      {state.view !== 'preparing' && subject.value !== null ? (
        <RedoChoice
          subject={subject.value}
          initial={saved.value?.[0] ?? redo?.mediaJobTaskRequests[0] ?? subject.value.request}
          onSubmitted={setSubmittedId}
        />
      ) : null}
      {state.view !== 'preparing' && subject.value === null ? <NotHere /> : null}
    </FlowFrame>
  )
}

interface PreparingProps {
  readonly submission: SubmissionRow
  readonly durationMs: number | null
  readonly onTakeBack: () => void
}

/** The order while the server makes it, with the way back to the choice. */
function Preparing({ submission, durationMs, onTakeBack }: PreparingProps) {
  const { requests, redoOfTaskId = null } = submission.intent
  const presets = usePresets()
  const outbox = useOutboxActions()
  const save = useSaveSelection(redoSelectionKey(redoOfTaskId ?? ''))
  const change = async () => {
    onTakeBack()
    await save(requests)
    await outbox?.discard(submission.id)
  }
  return (
    <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_22rem]">
      <PreparingOrder submission={submission} />
      <ChosenEdits
        requests={requests}
        presets={presets.data ?? []}
        durationMs={durationMs}
        isRedo
        onChange={() => void change()}
      />
    </div>
  )
}

const TITLE = 'Change this edit'

/** Leads to the preparation of the order once its job exists. */
function useLeadOn(move: ReturnType<typeof flowMove>, fastJobId: string | null): void {
  const navigate = useNavigate()
  const mediaJobId = move?.kind === 'status' ? move.mediaJobId : fastJobId
  useEffect(() => {
    if (mediaJobId !== null) void navigate(paths.mediaJobStatus(mediaJobId), { replace: true })
  }, [mediaJobId, navigate])
}

function NotHere() {
  return (
    <Notice
      title="This device does not know this edit"
      action={
        <LinkButton to={paths.edits} variant="secondary">
          View All Edits
        </LinkButton>
      }
    >
      {"Open it in your library first, then press 'Change this edit' there."}
    </Notice>
  )
}
