import { useState, type FormEvent } from 'react'
import { codeOf, statusOf, type ApiFailure } from '#src/api/errors.ts'
import { SendButton } from '#src/components/help/SendButton.tsx'
import { readReferralCode, referralCodeReadAs } from '#src/components/account/read-referral-code.ts'
import { TryAgain } from '#src/components/help/TryAgain.tsx'
import { serverProblemCopy } from '#src/components/problem/server-copy.ts'
import { tokens } from '#src/components/tokens/token-words.ts'
import { paths } from '#src/config/paths.ts'
import { useOwnRedemption, useRedeemReferralCode } from './use-own-redemption.ts'
import type { Redemption } from '#src/local/calls/redeem-referral-code.ts'
import { REFERRAL_CODE_MAX_LENGTH, REFERRAL_REWARD_TOKENS } from '#spec/numbers.ts'
import { Card } from '#src/ui/Card.tsx'
import { Checkbox } from '#src/ui/Checkbox.tsx'
import { Disclosure } from '#src/ui/Disclosure.tsx'
import { Notice } from '#src/ui/Notice.tsx'
import { Skeleton } from '#src/ui/Skeleton.tsx'
import { TextField } from '#src/ui/TextField.tsx'
import { TextLink } from '#src/ui/TextLink.tsx'
import { useToasts } from '#src/ui/toasts-context.ts'

/** The last place to redeem a code: it is for people who have not subscribed yet. */
export function ReferralSection() {
  return (
    <Card as="section" labelledBy="referral" className="flex flex-col gap-3">
      <h2 id="referral" className="text-lg font-semibold">
        Referral code
      </h2>
      <Content />
      <TextLink to={paths.referralTerms} className="self-start text-sm pointer-coarse:py-3">
        Referral terms
      </TextLink>
    </Card>
  )
}

function Content() {
  const { redemption, failure, isFetching, refresh } = useOwnRedemption()
  if (failure !== null)
    return (
      <Notice
        kind="warning"
        title="Unable to fetch your referral code"
        action={<TryAgain failure={failure} onPress={refresh} isBusy={isFetching} />}
      >
        {serverProblemCopy(failure).title}
      </Notice>
    )
  if (redemption === undefined)
    return (
      <div role="status" aria-label="Loading your referral code">
        <Skeleton className="h-12" />
      </div>
    )
  if (redemption === null) return <RedeemForm />
  return (
    <>
      <TextField
        label="Redeemed referral code"
        value={redemption.code}
        onChange={() => undefined}
        isReadOnly
      />
      <p className="text-sm text-ink-muted">{rewardWords(redemption)}</p>
    </>
  )
}

const REWARD = tokens(REFERRAL_REWARD_TOKENS)

function rewardWords({ rewardedAt, reversedAt, noReward }: Redemption): string {
  if (reversedAt !== null) return 'Its reward was taken back, because the payment went back.'
  if (rewardedAt === null && noReward === 'card-known')
    return 'It brings no reward: another account has subscribed with your card before.'
  return rewardedAt === null
    ? `You get ${REWARD} more when your first month is paid.`
    : `You have received ${REWARD} for it.`
}

function RedeemForm() {
  const { text, isAtLeast18, problem, isRunning, change, confirm, redeem } = useRedeemForm()
  const readAs = referralCodeReadAs(text)
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (!isRunning) void redeem()
  }
  return (
    <Disclosure title="Do you have a referral code?">
      <form noValidate onSubmit={onSubmit} className="flex flex-col gap-3 pt-1">
        <TextField
          label="Referral code"
          name="referralCode"
          autoComplete="off"
          value={text}
          onChange={change}
          error={problem}
          {...(readAs === null ? {} : { hint: readAs })}
        />
        <Checkbox isSelected={isAtLeast18} onChange={confirm}>
          I am at least 18 years old.
        </Checkbox>
        <SendButton
          sends="POST /v1/payments/referral-code-redemption"
          type="submit"
          variant="secondary"
          isBusy={isRunning}
        >
          Redeem
        </SendButton>
      </form>
    </Disclosure>
  )
}

/** What is typed and ticked, what is wrong with it, and redeeming. */
function useRedeemForm() {
  const redeeming = useRedeemReferralCode()
  const toasts = useToasts()
  const [typed, setTyped] = useState({ code: '', isAtLeast18: false })
  const [problem, setProblem] = useState<string | null>(null)
  const redeem = async () => {
    const code = readReferralCode(typed.code)
    if (code === '') return setProblem('Please enter a referral code')
    if (code.length > REFERRAL_CODE_MAX_LENGTH) return setProblem('Invalid referral code')
    const redeemed = await redeeming.mutateAsync({ ...typed, code })
    if (redeemed.ok) return toasts.show('success', 'Referral code accepted')
    setProblem(failureWords(redeemed.error))
  }
  return {
    text: typed.code,
    isAtLeast18: typed.isAtLeast18,
    problem,
    isRunning: redeeming.isPending,
    change: (code: string) => {
      setTyped({ ...typed, code })
      setProblem(null)
    },
    confirm: (isAtLeast18: boolean) => {
      setTyped({ ...typed, isAtLeast18 })
      setProblem(null)
    },
    redeem,
  }
}

/** The server has a sentence for each rule; an unknown code has the specified one. */
function failureWords(failure: ApiFailure): string {
  if (statusOf(failure) === 404) return 'Invalid referral code'
  return codeOf(failure) === 'referrals/already-redeemed'
    ? 'Referral code has already been redeemed'
    : serverProblemCopy(failure).title
}
