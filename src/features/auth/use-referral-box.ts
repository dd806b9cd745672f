import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { checkReferralCode, type CodeVerdict } from './check-referral-code.ts'
import { readReferralCode } from '#src/components/account/read-referral-code.ts'
import { REFERRAL_CODE_MAX_LENGTH } from '#spec/numbers.ts'
import { send } from '#src/api/send.ts'
import { env } from '#src/config/env.ts'
import { useLocal } from '#src/hooks/device/local-context.ts'
import { useToasts } from '#src/ui/toasts-context.ts'

/** What is known of the code in the field. */
type Check = { readonly kind: 'none' | 'blank' | 'running' } | CodeVerdict

/** The optional referral code of the sign-up. */
export interface ReferralBox {
  readonly text: string
  readonly check: Check
  readonly isExpanded: boolean
  /** What the sign-up sends: null when the field is empty. The server checks it again. */
  readonly code: string | null
  readonly change: (text: string) => void
  readonly setExpanded: (isExpanded: boolean) => void
  readonly validate: () => void
}

const NONE: Check = { kind: 'none' }

/**
 * What is typed, else the code of the link that led here. Null where payments are off, because
 * codes are rewarded when a subscription is paid.
 */
export function useReferralBox(): ReferralBox | null {
  const { api } = useLocal()
  const toasts = useToasts()
  const invitedBy = useInvitation()
  const [typed, setTyped] = useState<string | null>(null)
  const [opened, setOpened] = useState<boolean | null>(null)
  const [check, setCheck] = useState<Check>(NONE)
  const text = typed ?? invitedBy ?? ''
  const code = readReferralCode(text)
  const validate = async () => {
    if (code === '') return setCheck({ kind: 'blank' })
    // Longer than any code, so it is the text of something else, and stays as it was typed.
    if (code.length > REFERRAL_CODE_MAX_LENGTH) return setCheck({ kind: 'invalid' })
    setTyped(code)
    setCheck({ kind: 'running' })
    const verdict = await checkReferralCode(api, code)
    // Typed on meanwhile: the verdict is about another code.
    setCheck((now) => (now.kind === 'running' ? verdict : now))
    if (verdict.kind === 'valid') toasts.show('success', 'Referral code accepted')
    if (verdict.kind === 'redeemed')
      toasts.show('success', 'Referral code has already been redeemed')
  }
  if (!env.paymentsEnabled) return null
  return {
    text: check.kind === 'redeemed' ? check.code : text,
    check,
    isExpanded: opened ?? invitedBy !== null,
    code: code === '' ? null : code,
    change: (next) => {
      setTyped(next)
      setCheck(NONE)
    },
    setExpanded: setOpened,
    validate: () => void validate(),
  }
}

/** The code that this browser was invited with, or null; a failure is as good as none. */
function useInvitation(): string | null {
  const { api } = useLocal()
  const query = useQuery({
    queryKey: ['invitation'],
    enabled: env.paymentsEnabled,
    queryFn: async ({ signal }) => {
      const answer = await send(api.GET('/v1/payments/referral-codes/cookie', { signal }))
      return answer.ok ? (answer.value.referralCode?.code ?? null) : null
    },
  })
  return query.data ?? null
}
