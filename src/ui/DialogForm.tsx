import type { ReactNode } from 'react'
import { Button } from './Button.tsx'

export interface DialogFormProps {
  readonly children: ReactNode
  /** The words of the button that sends the form. */
  readonly submitWords: string
  readonly isBusy?: boolean
  /** See `Button`. */
  readonly notYet?: string | null
  readonly onSubmit: () => void
  readonly onCancel: () => void
}

/**
 * A form in a `Dialog`, sent by its button or by Enter. The page checks the fields, so the browser
 * shows no messages of its own.
 */
export function DialogForm({
  children,
  submitWords,
  isBusy = false,
  notYet = null,
  onSubmit,
  onCancel,
}: DialogFormProps) {
  return (
    <form
      noValidate
      className="flex flex-col gap-5 pt-1"
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit()
      }}
    >
      {children}
      <div className="flex flex-wrap-reverse gap-3 *:grow sm:justify-end sm:*:grow-0">
        <Button variant="secondary" onPress={onCancel}>
          Cancel
        </Button>
        <Button type="submit" isBusy={isBusy} notYet={notYet}>
          {submitWords}
        </Button>
      </div>
    </form>
  )
}
