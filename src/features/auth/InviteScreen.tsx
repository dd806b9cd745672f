import { useQuery } from '@tanstack/react-query'
import { Navigate, useParams } from 'react-router'
import { AuthCard } from './AuthCard.tsx'
import { checkReferralCode, type CodeVerdict } from './check-referral-code.ts'
import { readReferralCode } from '#src/components/account/read-referral-code.ts'
import { TryAgain } from '#src/components/help/TryAgain.tsx'
import { paths } from '#src/config/paths.ts'
import { useLocal } from '#src/hooks/device/local-context.ts'
import { LinkButton } from '#src/ui/LinkButton.tsx'
import { Notice } from '#src/ui/Notice.tsx'
import { Spinner } from '#src/ui/Spinner.tsx'

/** `/invite/{code}`: checks the code, which ties this browser to it, and leads to the sign-up. */
export function InviteScreen() {
  const code = readReferralCode(useParams()['code'] ?? '')
  const { api } = useLocal()
  const check = useQuery({
    queryKey: ['invite', code],
    enabled: code !== '',
    queryFn: ({ signal }) => checkReferralCode(api, code, signal),
  })
  const verdict = check.data
  if (verdict?.kind === 'valid' || verdict?.kind === 'redeemed')
    return <Navigate to={paths.signUp} replace />
  if (code !== '' && verdict === undefined)
    return (
      <AuthCard title="You are invited">
        <p role="status" className="flex items-center gap-3 text-ink-muted">
          <Spinner className="size-5" />
          Checking the referral code...
        </p>
      </AuthCard>
    )
  return (
    <AuthCard title="You are invited">
      <div className="flex flex-col items-start gap-6">
        <Notice kind="error" isLive className="w-full">
          {problemOf(code, verdict)}
        </Notice>
        <div className="flex flex-wrap gap-2">
          {verdict?.kind === 'unknown' ? (
            <TryAgain
              failure={verdict.failure}
              onPress={() => void check.refetch()}
              isBusy={check.isFetching}
            />
          ) : null}
          <LinkButton to={paths.signUp}>Continue to Sign Up</LinkButton>
        </div>
      </div>
    </AuthCard>
  )
}

function problemOf(code: string, verdict: CodeVerdict | undefined): string {
  if (code === '') return 'No referral code provided'
  return verdict?.kind === 'unknown' ? verdict.message : `Invalid referral code: ${code}`
}
