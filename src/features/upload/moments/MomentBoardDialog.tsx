import { useId, useState } from 'react'
import { PullFailure } from '#src/components/help/PullFailure.tsx'
import type { PreviewFootage } from '#src/hooks/previews/use-preview-video.ts'
import { requestOfMoments, type UploadMoments } from '#src/local/edits/moment-boards.ts'
import type { TaskRequest } from '#src/local/edits/task-requests.ts'
import { Button } from '#src/ui/Button.tsx'
import { Dialog } from '#src/ui/Dialog.tsx'
import { QuestionDialog } from '#src/ui/QuestionDialog.tsx'
import { Waiting } from '#src/ui/Waiting.tsx'
import { OpenBoard } from './OpenBoard.tsx'
import { useBoard, type BoardState } from './use-board.ts'
import type { MomentDraft } from './use-moment-choice.ts'

export interface MomentBoardDialogProps {
  /** Null before the server knows the video. */
  readonly uploadRequestId: string | null
  /** The edit whose moments are chosen, with its options; null keeps it closed. */
  readonly request: TaskRequest | null
  readonly name: string
  /** Null where no preview can be made. */
  readonly footage: PreviewFootage | null
  /** @param isUntouched these moments are those that the edit shows by itself */
  readonly onApply: (request: TaskRequest, isUntouched: boolean) => void
  readonly onClose: () => void
}

/** The moment board of one edit of an upload as a modal; Apply keeps the choice. */
export function MomentBoardDialog({ request, ...props }: MomentBoardDialogProps) {
  return request === null ? null : <OpenDialog {...props} request={request} />
}

interface OpenDialogProps extends MomentBoardDialogProps {
  readonly request: TaskRequest
}

/** The dialog as long as it is open: what was changed on its board goes with it. */
function OpenDialog({
  request,
  uploadRequestId,
  name,
  footage,
  onApply,
  onClose,
}: OpenDialogProps) {
  const [isLeaving, setIsLeaving] = useState(false)
  const state = useBoard({ request, uploadRequestId, footage })
  const draft = state.kind === 'open' ? state.draft : null
  const chosen =
    draft === null || draft.problem !== null ? null : requestOfMoments(request, draft.choice)
  return (
    <>
      <Dialog
        title={`Moments of ${name}`}
        width="wide"
        isOpen
        // Escape or a press beside the board may be a slip, and minutes of choosing would go.
        onClose={() => (draft?.hasChanged === true ? setIsLeaving(true) : onClose())}
        footer={
          <>
            <Button variant="secondary" onPress={onClose}>
              {draft === null ? 'Close' : 'Cancel'}
            </Button>
            {state.kind === 'open' ? (
              <Apply
                problem={state.draft.problem}
                request={chosen}
                onApply={(request) => onApply(request, isAsByItself(state))}
              />
            ) : null}
          </>
        }
      >
        {state.kind === 'open' ? (
          <OpenBoard shown={state.shown} draft={state.draft} request={chosen} footage={footage} />
        ) : (
          <WhyNot state={state} />
        )}
      </Dialog>
      <QuestionDialog
        title="Leave without applying?"
        isOpen={isLeaving}
        keepWords="Go on choosing"
        actWords="Leave"
        onAct={onClose}
        onClose={() => setIsLeaving(false)}
      >
        What you changed on this board is forgotten then.
      </QuestionDialog>
    </>
  )
}

/** Without a search of the server it would choose others, once it has searched the video. */
function isAsByItself({ shown, draft }: Extract<BoardState, { kind: 'open' }>): boolean {
  return draft.isUntouched && shown.own === undefined
}

/** Stands with the reason while it cannot, since what says it in full may be a screen above. */
function Apply({
  problem,
  request,
  onApply,
}: {
  readonly problem: MomentDraft['problem']
  /** Null while the moments do not fit. */
  readonly request: TaskRequest | null
  readonly onApply: (request: TaskRequest) => void
}) {
  const why = useId()
  return (
    <>
      <Button
        onPress={() => (request === null ? undefined : onApply(request))}
        isDisabled={request === null}
        describedBy={why}
      >
        Apply
      </Button>
      {/* The rows of the footer wrap upwards. */}
      <p id={why} className="basis-full text-sm empty:hidden">
        {problem}
      </p>
    </>
  )
}

function WhyNot({ state }: { readonly state: Exclude<BoardState, { kind: 'open' }> }) {
  if (state.kind === 'opening') return <Waiting>Opening your video</Waiting>
  const { pull } = state
  const found = pull.data
  return (
    <>
      <PullFailure pull={pull} title="The moments of this video could not be loaded" />
      {found === null && pull.failure === null ? <Waiting>Asking for the moments</Waiting> : null}
      {found === null ? null : <NoBoard found={found} />}
    </>
  )
}

/** Why there is nothing to choose from, yet or at all. */
function NoBoard({ found }: { readonly found: UploadMoments }) {
  switch (found.state) {
    case 'unchecked':
      return (
        <p>
          Moments can be chosen once your video is uploaded and checked. You can also order this
          edit now: it then shows the moments that Onecut finds best.
        </p>
      )
    case 'searching':
      return (
        <>
          <Waiting>Looking for moments in your video</Waiting>
          <p className="mt-3">
            Edits that are paid for come first, so this can take a while. You can also order this
            edit now: it then shows the moments that Onecut finds best.
          </p>
        </>
      )
    case 'ready':
      return <p>This edit shows all of your video, so there is nothing to choose.</p>
  }
}
