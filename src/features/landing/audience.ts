/** The specification's fixed setting: shows or hides the word "adult" on the landing page. */
export const SHOWS_ADULT = true

/** 'adult creators' or 'creators'. */
export function audience(showsAdult: boolean): string {
  return showsAdult ? 'adult creators' : 'creators'
}

/** A testimonial's role, prefixed when the setting is on. */
export function roleLabel(role: string, showsAdult: boolean): string {
  return showsAdult ? `Adult ${role}` : role
}
