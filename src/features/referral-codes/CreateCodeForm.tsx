import { useId, useRef, useState } from 'react'
import type { FormEvent } from 'react'
import { apiFailureMessage, statusOf, type ApiFailure } from '#src/api/errors.ts'
import { useCreateReferralCode } from './use-create-referral-code.ts'
import { SendButton } from '#src/components/help/SendButton.tsx'
import { plainText } from '#src/lib/typed-text.ts'
import type { ReferralCode } from '#src/local/nouns/referral-codes.ts'
import {
  REFERRAL_CODE_MAX_LENGTH,
  REFERRAL_CODE_MIN_LENGTH,
  REFERRAL_CODES_PER_USER,
} from '#spec/numbers.ts'
import { referralCodeProblem } from '#spec/referral-code.ts'
import { Card } from '#src/ui/Card.tsx'
import { Checkbox } from '#src/ui/Checkbox.tsx'
import { TextField } from '#src/ui/TextField.tsx'
import { useToasts } from '#src/ui/toasts-context.ts'

const NOT_CREATED = 'Unable to create referral code. Please try again.'
const CREATE = 'POST /v1/payments/referral-codes'
const AGE_NOT_CONFIRMED = 'Please confirm that you are at least 18 years old.'
const HINT = `Use uppercase letters and numbers only (${REFERRAL_CODE_MIN_LENGTH}-${REFERRAL_CODE_MAX_LENGTH} characters)`

/**
 * Makes a code.
 * @param codes the person's codes, or null while they are not known
 */
export function CreateCodeForm({ codes }: { readonly codes: readonly ReferralCode[] | null }) {
  const headingId = useId()
  const {
    text,
    readAs,
    composing,
    isAtLeast18,
    isAgeMissing,
    problem,
    isCreating,
    change,
    confirm,
    create,
  } = useNewCode()
  const isFull = codes !== null && codes.length >= REFERRAL_CODES_PER_USER
  const isDisabled = isCreating || isFull
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (!isDisabled) void create()
  }
  return (
    <Card as="section" labelledBy={headingId}>
      <h2 id={headingId} className="text-2xl font-bold">
        Create New Referral Code
      </h2>
      <form noValidate onSubmit={onSubmit} className="mt-4 flex flex-col gap-4">
        <div {...composing}>
          <TextField
            label="Referral code"
            name="code"
            autoComplete="off"
            maxLength={REFERRAL_CODE_MAX_LENGTH}
            value={text}
            onChange={change}
            hint={readAs ?? HINT}
            error={problem}
            isDisabled={isDisabled}
            className="max-w-md"
            // While a keyboard composes, the letters in the field are not yet capitals.
            inputClassName="uppercase"
          />
        </div>
        <p className="text-sm text-ink-muted">
          Nothing offensive, and no names of other companies.
        </p>
        <AgeBox {...{ isAtLeast18, isAgeMissing, isDisabled, confirm }} />
        <div className="flex flex-wrap items-center gap-4">
          <SendButton sends={CREATE} type="submit" isDisabled={isDisabled}>
            {isCreating ? 'Creating...' : 'Create Custom Code'}
          </SendButton>
          {codes === null ? null : (
            <p role="status" className="text-sm text-ink-muted">
              {roomWords(codes.length)}
            </p>
          )}
        </div>
      </form>
    </Card>
  )
}

/** What is typed, what is wrong with it, and making it. */
function useNewCode() {
  const creating = useCreateReferralCode()
  const toasts = useToasts()
  const [text, setText] = useState('')
  const [isAtLeast18, setAtLeast18] = useState(false)
  const [isAgeMissing, setAgeMissing] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const create = async () => {
    const code = codeOf(text)
    const wrong = referralCodeProblem(code)
    setProblem(wrong)
    setAgeMissing(!isAtLeast18)
    if (wrong !== null || !isAtLeast18) return
    const created = await creating.mutateAsync({ code, isAtLeast18 })
    if (created.ok) {
      setText('')
      return toasts.show('success', `Referral code "${code}" created successfully`)
    }
    setProblem(failureWords(created.error))
    toasts.show('error', NOT_CREATED)
  }
  const isComposing = useRef(false)
  const composing = {
    onCompositionStart: () => {
      isComposing.current = true
    },
    // Changed before, a text that the keyboard still holds comes out doubled.
    onCompositionEnd: () => {
      isComposing.current = false
      setText((composed) => composed.toUpperCase())
    },
  }
  const change = (typed: string) => {
    setText(isComposing.current ? typed : typed.toUpperCase())
    // Words that stand there follow the text; none appear while a first text is typed.
    if (problem !== null) setProblem(referralCodeProblem(codeOf(typed)))
  }
  const confirm = (isSelected: boolean) => {
    setAtLeast18(isSelected)
    setAgeMissing(false)
  }
  const isCreating = creating.isPending
  const code = codeOf(text)
  const isOther = referralCodeProblem(code) === null && code !== text.trim().toUpperCase()
  const readAs = isOther ? `Read as ${code}` : null
  return {
    text,
    readAs,
    composing,
    isAtLeast18,
    isAgeMissing,
    problem,
    isCreating,
    change,
    confirm,
    create,
  }
}

function codeOf(text: string): string {
  return plainText(text).toUpperCase()
}

/** The server's reason where it refused the code, that there is no network, or that it failed. */
function failureWords(failure: ApiFailure): string {
  const status = statusOf(failure)
  const isRefusal = status !== null && status < 500
  return isRefusal || failure.code === 'api/offline' ? apiFailureMessage(failure) : NOT_CREATED
}

function roomWords(count: number): string {
  const more = REFERRAL_CODES_PER_USER - count
  return more > 0
    ? `You can create ${more} more ${more === 1 ? 'code' : 'codes'}`
    : `You've reached the maximum of ${REFERRAL_CODES_PER_USER} codes allowed`
}

/** The box of the age; what was forgotten there is said there. */
function AgeBox({
  isAtLeast18,
  isAgeMissing,
  isDisabled,
  confirm,
}: Pick<ReturnType<typeof useNewCode>, 'isAtLeast18' | 'isAgeMissing' | 'confirm'> & {
  readonly isDisabled: boolean
}) {
  const ageId = useId()
  return (
    <div>
      <Checkbox
        isSelected={isAtLeast18}
        onChange={confirm}
        isDisabled={isDisabled}
        isInvalid={isAgeMissing}
        {...(isAgeMissing ? { describedBy: ageId } : {})}
      >
        I am at least 18 years old.
      </Checkbox>
      {isAgeMissing ? (
        <p id={ageId} role="alert" className="text-sm text-bad">
          {AGE_NOT_CONFIRMED}
        </p>
      ) : null}
    </div>
  )
}
