import { useRef, useState } from 'react'
import type { FormEvent } from 'react'
import { signInWithCode } from './auth-calls.ts'
import { CODE_LENGTH, codeIn } from './code-in.ts'
import { codeProblem } from './auth-problems.ts'
import type { FormProblem } from './auth-problems.ts'
import { refusedForMs } from '#src/api/errors.ts'
import { SendButton } from '#src/components/help/SendButton.tsx'
import { useNotYet } from '#src/components/help/use-not-yet.ts'
import { useLocal } from '#src/hooks/device/local-context.ts'
import { Notice } from '#src/ui/Notice.tsx'
import { TextField } from '#src/ui/TextField.tsx'

const CODE_CALL = 'POST /v1/auth/magic-link/code'

const NOT_ONE_CODE: FormProblem = {
  field: 'code',
  message: 'The code has six digits. Enter only those.',
}

/**
 * The six digits of the mail; the sixth one sends them. The route leads on when the session has
 * changed.
 */
export function CodeForm({ email }: { readonly email: string }) {
  const input = useRef<HTMLInputElement>(null)
  const { code, problem, isChecking, change, check } = useCodeCheck(email, () =>
    input.current?.focus(),
  )
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (!isChecking) void check(codeIn(code))
  }
  return (
    <form noValidate onSubmit={onSubmit} className="flex flex-col gap-3 border-t border-line pt-6">
      <TextField
        ref={input}
        label="Enter the 6-digit code from the email"
        // The button that led here is gone, and a reload puts the focus nowhere.
        autoFocus
        name="code"
        inputMode="numeric"
        autoComplete="one-time-code"
        value={code}
        onChange={change}
        error={problem?.field === 'code' ? problem.message : null}
        isErrorElsewhere
        inputClassName="text-center text-2xl font-semibold tracking-[0.4em] tabular-nums"
      />
      {problem === null ? null : (
        <Notice kind="error" isLive>
          {problem.message}
        </Notice>
      )}
      <SendButton sends={CODE_CALL} type="submit" variant="secondary" isBusy={isChecking}>
        Log in with the code
      </SendButton>
    </form>
  )
}

/** What is typed, and the sign-in that the sixth digit starts. */
function useCodeCheck(email: string, focus: () => void) {
  const { api, session } = useLocal()
  const notYet = useNotYet(CODE_CALL)
  const [code, setCode] = useState('')
  const [problem, setProblem] = useState<FormProblem | null>(null)
  const [isChecking, setChecking] = useState(false)
  const check = async (digits: string | null) => {
    if (digits === null) return setProblem(NOT_ONE_CODE)
    // Pressed after a refused code: that the code was wrong says more than that the field is empty.
    if (digits.length === 0 && problem !== null) return focus()
    if (digits.length < CODE_LENGTH) {
      setProblem({ field: 'code', message: 'Enter all six digits' })
      return
    }
    setChecking(true)
    setProblem(null)
    const signedIn = await signInWithCode(api, email, digits)
    if (signedIn.ok) {
      // Stays busy until the route leads on: a second press would send a code that is used up.
      session.refresh()
      return
    }
    setChecking(false)
    setProblem(codeProblem(signedIn.error))
    // A code that came too soon was not looked at.
    if (refusedForMs(signedIn.error) === null) setCode('')
    focus()
  }
  const change = (typed: string) => {
    const digits = codeIn(typed)
    if (digits === null) {
      // A seventh digit, while the six before it are being checked, changes nothing.
      if (!isChecking) {
        setCode(typed)
        setProblem(NOT_ONE_CODE)
      }
      return
    }
    // What a keyboard for another script is still composing would be doubled by other digits.
    setCode(/^[\x20-\x7E]*$/.test(typed) ? digits : typed)
    if (digits.length > 0) setProblem(null)
    if (digits.length === CODE_LENGTH && !isChecking && notYet === null) void check(digits)
  }
  return { code, problem, isChecking, change, check }
}
