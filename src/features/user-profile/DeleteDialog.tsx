import { useState, type ReactNode } from 'react'
import { tokens } from '#src/components/token-words.ts'
import { paths } from '#src/config/paths.ts'
import { useWalletTotal } from '#src/hooks/use-wallets.ts'
import { Button } from '#src/ui/Button.tsx'
import { Dialog } from '#src/ui/Dialog.tsx'
import { TextLink } from '#src/ui/TextLink.tsx'
import { TextField } from '#src/ui/TextField.tsx'

export interface DeleteDialogProps {
  readonly isOpen: boolean
  readonly isPending: boolean
  /** Why deleting did not work; null until then. */
  readonly problem: ReactNode
  /** What is wrong with the typed address; null until it was refused. */
  readonly wrongAddress: string | null
  readonly onDelete: (email: string) => void
  readonly onClose: () => void
}

const FORM = 'delete-account-form'

/** Says what deleting takes away, and asks for the address, so that it is no mistake. */
export function DeleteDialog({
  isOpen,
  isPending,
  problem,
  wrongAddress,
  onDelete,
  onClose,
}: DeleteDialogProps) {
  const [email, setEmail] = useState('')
  const close = () => {
    setEmail('')
    onClose()
  }
  return (
    <Dialog
      title="Delete your account?"
      role="alertdialog"
      width="medium"
      isOpen={isOpen}
      isBlocking={isPending}
      onClose={close}
      footer={
        <>
          <Button variant="secondary" onPress={close} isDisabled={isPending}>
            Keep my account
          </Button>
          <Button variant="danger" type="submit" form={FORM} isBusy={isPending}>
            Delete my account
          </Button>
        </>
      }
    >
      <form
        id={FORM}
        noValidate
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          onDelete(email.trim())
        }}
      >
        <Consequences />
        <TextField
          label="Type the email address of your account"
          type="email"
          name="email"
          autoComplete="off"
          value={email}
          onChange={setEmail}
          error={wrongAddress}
          isDisabled={isPending}
        />
        {problem}
      </form>
    </Dialog>
  )
}

function Consequences() {
  const total = useWalletTotal()
  return (
    <ul className="list-disc space-y-1.5 pl-5">
      <li>
        You are signed out everywhere at once. This device forgets your account, with uploads that
        are not finished.
      </li>
      <li>
        A subscription is cancelled and not billed again. Unused tokens that you bought in the last
        14 days can be given back first, under <TextLink to={paths.payments}>My Payments</TextLink>.
      </li>
      <li>For 14 days, logging in keeps the account with everything in it.</li>
      <li>
        Then your videos, edits and address are deleted for good
        {total === null || total === 0 ? '' : `, and your ${tokens(total)} are lost`}. A new account
        with your address starts without free tokens.
      </li>
      <li>
        The records of tokens and payments stay, without your address, because the law asks for
        them.
      </li>
    </ul>
  )
}
