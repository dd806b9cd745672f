import { useState } from 'react'
import { useNavigate } from 'react-router'
import { mayHaveHappened, type ApiFailure } from '#src/api/errors.ts'
import { serverProblemCopy } from '#src/components/problem/server-copy.ts'
import { longDateWords } from '#src/lib/time-words.ts'
import { paths } from '#src/config/paths.ts'
import { useDeleteAccount } from './use-delete-account.ts'
import { useOnline } from '#src/hooks/network/use-online.ts'
import { useSession } from '#src/hooks/account/use-session.ts'
import { Button } from '#src/ui/Button.tsx'
import { Card } from '#src/ui/Card.tsx'
import { Notice } from '#src/ui/Notice.tsx'
import { useToasts } from '#src/ui/toasts-context.ts'
import { DeleteDialog } from './DeleteDialog.tsx'

/** Deletes the account after a question; 14 days remain to come back. */
export function DeleteAccount() {
  const isOnline = useOnline()
  const session = useSession()
  const toasts = useToasts()
  const navigate = useNavigate()
  const deletion = useDeleteAccount()
  const [isAsking, setIsAsking] = useState(false)
  const [failure, setFailure] = useState<ApiFailure | null>(null)
  const close = () => {
    setIsAsking(false)
    setFailure(null)
  }
  const start = async (email: string) => {
    setFailure(null)
    const result = await deletion.mutateAsync(email)
    if (!result.ok) return setFailure(result.error)
    sessionStorage.clear()
    const day = longDateWords(Date.parse(result.value.deletesAt))
    toasts.show('success', `Your account will be deleted on ${day}. Log in before to keep it.`)
    await navigate(paths.logIn, { replace: true })
  }
  return (
    <Card as="section" labelledBy="delete-account" className="flex h-full flex-col gap-4">
      <div className="flex-1">
        <h2 id="delete-account" className="text-xl font-semibold">
          Delete my account
        </h2>
        <p className="mt-2 text-ink-muted">
          Signs you out everywhere and cancels your subscription. You have 14 days to change your
          mind: logging in keeps the account. Then your videos, edits and address are deleted.
        </p>
      </div>
      {isOnline ? (
        <Button variant="danger" className="self-start" onPress={() => setIsAsking(true)}>
          Delete my account
        </Button>
      ) : (
        <p className="text-sm text-ink-muted">You can delete it when you are online.</p>
      )}
      <DeleteDialog
        isOpen={isAsking}
        isPending={deletion.isPending}
        problem={failure === null ? null : <Problem failure={failure} />}
        ownEmail={session.kind === 'signed-out' ? '' : session.user.email}
        onDelete={(email) => void start(email)}
        onClose={close}
      />
    </Card>
  )
}

function Problem({ failure }: { readonly failure: ApiFailure }) {
  const { title } = serverProblemCopy(failure)
  return mayHaveHappened(failure) ? (
    <Notice kind="warning" isLive title={title}>
      We do not know yet whether your account will be deleted. It is safe to try again.
    </Notice>
  ) : (
    <Notice kind="error" isLive title="Your account could not be deleted">
      {title}
    </Notice>
  )
}
