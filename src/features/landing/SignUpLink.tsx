import { paths } from '#src/config/paths.ts'
import { buttonLook } from '#src/ui/button-look.ts'

/**
 * The way to the sign-up, as a plain link: this page also stands alone, without the app and its
 * router.
 */
export function SignUpLink({
  children,
  className,
}: {
  readonly children: string
  readonly className?: string
}) {
  return (
    <a href={paths.signUp} className={buttonLook('primary', 'large', className)}>
      {children}
    </a>
  )
}
