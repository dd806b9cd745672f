import { useSearchParams } from 'react-router'
import { arrivalMessage } from './auth-problems.ts'
import { MailCard } from './MailCard.tsx'
import type { AuthScreenProps } from './SignUpScreen.tsx'
import { paths } from '#src/config/paths.ts'
import { Notice } from '#src/ui/Notice.tsx'
import { TextLink } from '#src/ui/TextLink.tsx'

/** `/login` */
export function LogInScreen({ redirectUri }: AuthScreenProps) {
  const [query] = useSearchParams()
  const arrival = arrivalMessage(query)
  return (
    <MailCard
      purpose="login"
      title="Log In to the product"
      notice={
        arrival === null ? null : (
          <Notice kind={query.get('message') === 'shared-waits' ? 'info' : 'warning'}>
            {arrival}
          </Notice>
        )
      }
      footer={<TextLink to={paths.signUp}>Not a member? Sign Up for Free</TextLink>}
      redirectUri={redirectUri}
    />
  )
}
