/**
 * Words that no referral code may hold: insults, what no platform for adults may hint at, names of
 * other companies, and our own, which would look official. A short list on purpose: it stops what
 * is plain to see.
 */
const REFUSED_WORDS = [
  'CHINK',
  'CUNT',
  'FAGGOT',
  'FUCK',
  'HITLER',
  'NAZI',
  'NIGGA',
  'NIGGER',
  'RETARD',
  'TRANNY',
  'CHILDPORN',
  'INCEST',
  'KIDPORN',
  'LOLITA',
  'MOLEST',
  'PAEDO',
  'PEDOPHIL',
  'RAPIST',
  'TEENPORN',
  'UNDERAGE',
  'AMAZON',
  'BRAZZERS',
  'CHATURBATE',
  'DISNEY',
  'FACEBOOK',
  'FANSLY',
  'GOOGLE',
  'INSTAGRAM',
  'MANYVIDS',
  'MASTERCARD',
  'MICROSOFT',
  'NETFLIX',
  'ONECUT',
  'ONLYFANS',
  'PAYPAL',
  'PLAYBOY',
  'PORNHUB',
  'SNAPCHAT',
  'TEAMSKEET',
  'TIKTOK',
  'TWITTER',
  'WHATSAPP',
  'XHAMSTER',
  'XVIDEOS',
  'YOUTUBE',
]

/** Digits and letters that are read as another letter. */
const LOOK_ALIKES: Readonly<Record<string, string>> = {
  '0': 'O',
  '1': 'I',
  '2': 'Z',
  '3': 'E',
  '4': 'A',
  '5': 'S',
  '6': 'G',
  '7': 'T',
  '8': 'B',
  '9': 'G',
  L: 'I',
}

const refused = REFUSED_WORDS.map(asRead)

/** False when a code holds a refused word, also one spelled with look-alikes (`G00GLE`). */
export function hasAllowedWords(code: string): boolean {
  const read = asRead(code)
  return !refused.some((word) => read.includes(word))
}

function asRead(text: string): string {
  return [...text].map((character) => LOOK_ALIKES[character] ?? character).join('')
}
