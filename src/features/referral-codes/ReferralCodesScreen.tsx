import type { ReactNode } from 'react'
import { CreateCodeForm } from './CreateCodeForm.tsx'
import { Redemptions } from './Redemptions.tsx'
import { YourCodes } from './YourCodes.tsx'
import { tokens } from '#src/components/tokens/token-words.ts'
import { paths } from '#src/config/paths.ts'
import { useNounList } from '#src/hooks/sync/use-noun.ts'
import { referralCodes } from '#src/local/nouns/referral-codes.ts'
import { referralRedemptions } from '#src/local/nouns/referral-redemptions.ts'
import { REFERRAL_REWARD_TOKENS, WITHDRAWAL_DAYS } from '#spec/numbers.ts'
import { Card } from '#src/ui/Card.tsx'
import { Page } from '#src/ui/Page.tsx'
import { TextLink } from '#src/ui/TextLink.tsx'

const REWARD = tokens(REFERRAL_REWARD_TOKENS)

/** `/referral-codes`: the person's codes, how to share them, and what became of them. */
export function ReferralCodesScreen() {
  const codes = useNounList(referralCodes)
  const redemptions = useNounList(referralRedemptions)
  return (
    <Page title="Get Paid by Referring Friends">
      <div className="flex flex-col gap-8">
        <div className="grid gap-4 sm:grid-cols-2">
          <RewardCard title="They Get">
            {REWARD} when they sign up with your code and pay for their first month.
          </RewardCard>
          <RewardCard title="You Get">
            {REWARD} for each friend who subscribes, when their payment can no longer be withdrawn:
            after {WITHDRAWAL_DAYS} days, or as soon as the tokens of their month are used for
            finished edits.
          </RewardCard>
        </div>
        <p className="-mt-4 text-sm text-ink-muted">
          The tokens of a reward can be used for one month. A code is for people who are new here,
          and each person and each card brings one reward. See the{' '}
          <TextLink to={paths.referralTerms}>referral terms</TextLink>.
        </p>
        <YourCodes codes={codes} />
        <CreateCodeForm codes={codes.data} />
        <Redemptions redemptions={redemptions} />
      </div>
    </Page>
  )
}

function RewardCard({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <Card>
      <h2 className="text-xl font-semibold">{title}</h2>
      <p className="mt-2 text-ink-muted">{children}</p>
    </Card>
  )
}
