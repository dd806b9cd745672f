import type { ReactNode } from 'react'
import { tokens } from '#src/components/tokens/token-words.ts'
import { paths } from '#src/config/paths.ts'
import {
  REFERRAL_CODE_MAX_LENGTH,
  REFERRAL_CODE_MIN_LENGTH,
  REFERRAL_CODES_PER_USER,
  REFERRAL_REWARD_TOKENS,
  WITHDRAWAL_DAYS,
} from '#spec/numbers.ts'
import { Page } from '#src/ui/Page.tsx'
import { TextLink } from '#src/ui/TextLink.tsx'

const REWARD = tokens(REFERRAL_REWARD_TOKENS)

/** `/referral-terms`: rewards, who may take part, and what codes may be. Public. */
export function ReferralTermsScreen() {
  return (
    <Page
      title="Referral Terms"
      lead="A draft for counsel. The rules below are those that the product follows."
    >
      <meta name="robots" content="noindex" />
      <div className="flex max-w-prose flex-col gap-8">
        <Section title="Rewards">
          <li>
            {`When a person who redeemed your code pays for the first month of a subscription, you get ${REWARD}, and so does that person.`}
          </li>
          <li>That person&apos;s reward is credited when the payment succeeds.</li>
          <li>
            {`Your reward is credited when the payment can no longer be withdrawn: ${WITHDRAWAL_DAYS} days after it, or as soon as the tokens of that month are used for finished edits. While the payment is disputed, it waits.`}
          </li>
          <li>Each reward expires one month after it is credited.</li>
          <li>
            When that payment is withdrawn, wholly refunded, or lost in a dispute, rewards that were
            credited are taken back, and none is credited later.
          </li>
          <li>
            One card brings one reward: there is none for a card that another account has subscribed
            with.
          </li>
          <li>
            What the person spent of the reward counts as used of that payment, so no money comes
            back for it in a withdrawal.
          </li>
        </Section>
        <Section title="Who may take part">
          <li>You are registered, in good standing, and at least 18 years old.</li>
          <li>
            The person who redeems your code is new, at least 18 years old, and subscribes to a
            qualifying plan, which is the monthly plan.
          </li>
          <li>Each person can redeem one code, once, before the first subscription.</li>
          <li>You cannot redeem your own code, and one mailbox counts as one person.</li>
        </Section>
        <Section title="Codes">
          <li>{`You can make up to ${REFERRAL_CODES_PER_USER} codes.`}</li>
          <li>
            {`A code has ${REFERRAL_CODE_MIN_LENGTH} to ${REFERRAL_CODE_MAX_LENGTH} uppercase letters and numbers.`}
          </li>
          <li>A code holds nothing offensive and no trademarks.</li>
        </Section>
        <p className="text-ink-muted">
          Your codes are on the page <TextLink to={paths.referralCodes}>Referrals</TextLink>.
        </p>
      </div>
    </Page>
  )
}

function Section({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section>
      <h2 className="text-2xl font-bold">{title}</h2>
      <ul className="mt-3 list-disc space-y-2 pl-5 text-ink-muted">{children}</ul>
    </section>
  )
}
