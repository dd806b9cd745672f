import { useId, useRef, useState } from 'react'
import type { FormEvent, ReactNode } from 'react'
import { askForMail } from './auth-calls.ts'
import type { Purpose } from './auth-calls.ts'
import { askProblem } from './auth-problems.ts'
import type { FormProblem } from './auth-problems.ts'
import { EMAIL_MESSAGES, emailProblem } from './email-rules.ts'
import { HumanField } from './HumanField.tsx'
import { useHumanCheck } from './use-human-check.ts'
import { SendButton } from '#src/components/help/SendButton.tsx'
import { emailReadAs, readEmail } from '#src/components/account/read-email.ts'
import type { CallName } from '#src/api/call-limits.ts'
import { useLocal } from '#src/hooks/device/local-context.ts'
import { Notice } from '#src/ui/Notice.tsx'
import { TextField } from '#src/ui/TextField.tsx'

export interface EmailFormProps {
  readonly purpose: Purpose
  readonly submitText: string
  /** Key of the external widget; null for the built-in verification. */
  readonly siteKey: string | null
  /** Where the mail's link leads. */
  readonly redirectUri: string
  readonly referralCode: string | null
  readonly onSent: (email: string) => void
  /** Between verification and button. */
  readonly children?: ReactNode
}

const CALLS = {
  signup: 'POST /v1/auth/magic-link/signup',
  login: 'POST /v1/auth/magic-link/login',
} as const satisfies Record<Purpose, CallName>

/**
 * E-mail and human verification. The verification starts with the first letter, so that it is done
 * when the form is sent, and costs nothing of visits that send none.
 */
export function EmailForm(props: EmailFormProps) {
  const { purpose, submitText, siteKey, children } = props
  const input = useRef<HTMLInputElement>(null)
  const problemId = useId()
  const { email, human, problem, isSending, change, submit } = useMailRequest(props, () =>
    input.current?.focus(),
  )
  const readAs = emailReadAs(email)
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (!isSending) void submit()
  }
  return (
    <form
      noValidate
      onSubmit={onSubmit}
      aria-describedby={problem === null ? undefined : problemId}
      className="flex flex-col gap-5"
    >
      <TextField
        ref={input}
        label="E-mail"
        autoFocus
        type="email"
        name="email"
        autoComplete={purpose === 'login' ? 'username webauthn' : 'email'}
        inputMode="email"
        placeholder="you@example.com"
        value={email}
        onChange={change}
        error={problem?.field === 'email' ? problem.message : null}
        isErrorElsewhere
        isRequired
        {...(readAs === null ? {} : { hint: readAs })}
      />
      <HumanField bound={human} siteKey={siteKey} />
      {children}
      {problem === null ? null : (
        <Notice kind="error" isLive id={problemId}>
          {problem.message}
        </Notice>
      )}
      <SendButton sends={CALLS[purpose]} type="submit" size="large" isBusy={isSending}>
        {submitText}
      </SendButton>
    </form>
  )
}

/** What is typed, the verification, and asking for the mail. */
function useMailRequest(
  { purpose, siteKey, redirectUri, referralCode, onSent }: EmailFormProps,
  focus: () => void,
) {
  const { api, limits } = useLocal()
  const human = useHumanCheck(api, siteKey === null)
  const [email, setEmail] = useState('')
  const [problem, setProblem] = useState<FormProblem | null>(null)
  const [isSending, setSending] = useState(false)
  const refuse = (refused: FormProblem) => {
    setProblem(refused)
    if (refused.field === 'email') focus()
  }
  const submit = async () => {
    const wrong = emailProblem(email, purpose)
    if (wrong !== null) return refuse({ field: 'email', message: wrong })
    setSending(true)
    setProblem(null)
    try {
      const captchaToken = await human.check.token()
      if (captchaToken === null) return refuse({ field: 'human', message: EMAIL_MESSAGES.captcha })
      const ask = { email: readEmail(email), captchaToken, redirectUri, referralCode }
      const sent = await askForMail(api, purpose, ask)
      // A token counts once, whatever the answer was.
      human.check.reset()
      if (sent.ok) onSent(ask.email)
      else refuse(askProblem(sent.error))
    } finally {
      setSending(false)
    }
  }
  const change = (typed: string) => {
    // The limit may be of the address before, so another one is asked for at once.
    const isOther = limits.current().has(CALLS[purpose]) && readEmail(typed) !== readEmail(email)
    setEmail(typed)
    human.check.start()
    if (isOther) limits.forget(CALLS[purpose])
    if (isOther || problem?.field === 'email') setProblem(null)
  }
  return { email, human, problem, isSending, change, submit }
}
