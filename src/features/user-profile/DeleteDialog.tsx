import { useState, type ReactNode } from 'react'
import { useNotYet } from '#src/components/help/use-not-yet.ts'
import { emailReadAs, readEmail } from '#src/components/account/read-email.ts'
import { tokens } from '#src/components/tokens/token-words.ts'
import { paths } from '#src/config/paths.ts'
import { useWalletTotal } from '#src/hooks/pay/use-wallets.ts'
import { QuestionDialog } from '#src/ui/QuestionDialog.tsx'
import { TextLink } from '#src/ui/TextLink.tsx'
import { TextField } from '#src/ui/TextField.tsx'

export interface DeleteDialogProps {
  readonly isOpen: boolean
  readonly isPending: boolean
  /** Why deleting did not work; null until then. */
  readonly problem: ReactNode
  /** What has to be typed. */
  readonly ownEmail: string
  readonly onDelete: (email: string) => void
  readonly onClose: () => void
}

const FORM = 'delete-account-form'

/** Says what deleting takes away, and asks for the address, so that it is no mistake. */
export function DeleteDialog({ isOpen, isPending, onClose, ...form }: DeleteDialogProps) {
  const notYet = useNotYet('POST /v1/users/me/deletion')
  return (
    <QuestionDialog
      title="Delete your account?"
      width="medium"
      isOpen={isOpen}
      isPending={isPending}
      notYet={notYet}
      keepWords="Keep my account"
      actWords="Delete my account"
      isDanger
      form={FORM}
      onClose={onClose}
    >
      <DeleteForm {...form} isPending={isPending} />
    </QuestionDialog>
  )
}

/** Forgets what was typed when the dialog closes. */
function DeleteForm({
  isPending,
  problem,
  ownEmail,
  onDelete,
}: Omit<DeleteDialogProps, 'isOpen' | 'onClose'>) {
  const [email, setEmail] = useState('')
  const [isWrong, setIsWrong] = useState(false)
  const readAs = emailReadAs(email)
  return (
    <form
      id={FORM}
      noValidate
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        const typed = readEmail(email)
        const isOwn = typed.toLowerCase() === ownEmail
        setIsWrong(!isOwn)
        if (isOwn) onDelete(typed)
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
        error={isWrong ? 'This is not the address of your account' : null}
        isDisabled={isPending}
        {...(readAs === null ? {} : { hint: readAs })}
      />
      {problem}
    </form>
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
