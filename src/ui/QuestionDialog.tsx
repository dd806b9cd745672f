import type { ReactNode } from 'react'
import { Button } from './Button.tsx'
import { Dialog } from './Dialog.tsx'

export interface QuestionDialogProps {
  readonly title: string
  /** What the answer means. */
  readonly children: ReactNode
  readonly isOpen: boolean
  /** The answer is on its way: the dialog waits for it and takes no other. */
  readonly isPending?: boolean
  /** See `Button`: of the answer that acts. */
  readonly notYet?: string | null
  /** The words of the button that changes nothing, as Escape does. */
  readonly keepWords: string
  readonly actWords: string
  /** Red, for what is gone afterwards. */
  readonly isDanger?: boolean
  /** Id of the form in the dialog that the answer sends; left out, the answer is `onAct`. */
  readonly form?: string
  readonly onAct?: () => void
  readonly onClose: () => void
  readonly width?: 'small' | 'medium'
}

/** Asks before something that cannot be taken back. The answer that acts stands last. */
export function QuestionDialog({
  title,
  children,
  isOpen,
  isPending = false,
  notYet = null,
  keepWords,
  actWords,
  isDanger = false,
  form,
  onAct,
  onClose,
  width = 'small',
}: QuestionDialogProps) {
  return (
    <Dialog
      title={title}
      role="alertdialog"
      width={width}
      isOpen={isOpen}
      isBlocking={isPending}
      onClose={onClose}
      footer={
        <>
          <Button variant="secondary" onPress={onClose} isDisabled={isPending}>
            {keepWords}
          </Button>
          <Button
            variant={isDanger ? 'danger' : 'primary'}
            isBusy={isPending}
            notYet={notYet}
            {...(form === undefined ? {} : { form, type: 'submit' })}
            {...(onAct === undefined ? {} : { onPress: onAct })}
          >
            {actWords}
          </Button>
        </>
      }
    >
      {children}
    </Dialog>
  )
}
