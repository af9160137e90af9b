import { useRef } from 'preact/hooks'
import { SelectField, TextField } from '../../../parts/forms/field.tsx'
import { Form, Save } from '../../../parts/forms/form/form.tsx'
import { useForm } from '../../../parts/forms/form/use-form.ts'
import { Dialog } from '../../../parts/overlay/dialog.tsx'
import { CopyText } from '../../../parts/show/copy-text.tsx'
import { at, go } from '../../../platform/router.ts'
import { slugOf } from '../shared/slug.ts'
import { addProvider } from './data.ts'
import { t } from './texts.ts'

/** The common makes of providers, with the patterns of their issuers. */
const makes = {
  entra: 'https://login.microsoftonline.com/<tenant>/v2.0',
  google: 'https://accounts.google.com',
  okta: 'https://<organisation>.okta.com',
  keycloak: 'https://<host>/realms/<realm>',
  authentik: 'https://<host>/application/o/<slug>/',
  other: 'https://…',
} as const
type Make = keyof typeof makes

/** The proposed short name of a provider: that of its make or, for an unknown make, one made from its English name. */
const usualSlug = (make: Make, nameEn: string) => (make === 'other' ? slugOf(nameEn, 40) : make)
const redirectUrlOf = (slug: string) => `${location.origin}${at(`/api/auth/oidc/${slug}/callback`)}`

/** Adds a provider. People do not see it before it is checked and turned on. */
export function NewProviderDialog({ close }: { close: () => void }) {
  const madeId = useRef(0)
  const form = useForm({
    from: { make: 'entra' as Make, nameAr: '', nameEn: '', slug: '', issuer: '', clientId: '', clientSecret: '' },
    fieldOf: { slug_taken: 'slug' },
    async save(_, __, { make, slug, clientSecret, ...rest }) {
      const claims =
        make === 'google'
          ? { claims: { username: 'email', email: 'email', nameAr: null, nameEn: 'name', language: 'locale', groups: null } }
          : {}
      const made = await addProvider({
        ...rest,
        ...claims,
        slug: slug || usualSlug(make, rest.nameEn),
        ...(clientSecret && { clientSecret }),
      })
      madeId.current = made.id
    },
    // Navigate only after the save, when the form has no unsaved changes.
    after: (isThere) => isThere && go(`/admin/sign-in/${madeId.current}`, { replace: true }),
    saidOf: () => t.added,
  })
  const { make, nameEn, issuer } = form.values
  const slug = form.values.slug || usualSlug(make, nameEn)
  return (
    <Dialog title={t.add} close={close}>
      <Form of={form}>
        <p class="quiet">{t.addHint}</p>
        <SelectField
          autoFocus
          label={t.make}
          value={make}
          choices={(Object.keys(makes) as Make[]).map((value) => ({ value, text: t.makes[value] }))}
          choose={(chosen) => {
            form.set('make', chosen)
            if (chosen === 'google') form.set('issuer', makes.google)
            else if (issuer === makes.google) form.set('issuer', '')
          }}
        />
        <div class="ways-pair">
          <TextField label={t.nameAr} hint={t.nameHint} required maxLength={100} dir="rtl" {...form.text('nameAr')} />
          <TextField label={t.nameEn} required maxLength={100} dir="ltr" {...form.text('nameEn')} />
        </div>
        <TextField
          label={t.slug}
          hint={t.slugHint}
          maxLength={40}
          dir="ltr"
          spellcheck={false}
          placeholder={usualSlug(make, nameEn)}
          {...form.text('slug')}
        />
        {slug && (
          <div>
            <CopyText label={t.redirectUrl} value={redirectUrlOf(slug)} />
            <p class="quiet small">{t.redirectUrlHint}</p>
          </div>
        )}
        <TextField
          label={t.issuer}
          hint={t.issuerHint}
          required
          maxLength={500}
          dir="ltr"
          spellcheck={false}
          placeholder={makes[make]}
          {...form.text('issuer')}
        />
        <TextField
          label={t.clientId}
          hint={t.clientIdHint}
          required
          maxLength={500}
          dir="ltr"
          spellcheck={false}
          {...form.text('clientId')}
        />
        <TextField
          label={t.clientSecret}
          hint={t.clientSecretHint}
          optional={t.optional}
          maxLength={2000}
          dir="ltr"
          spellcheck={false}
          autocomplete="off"
          {...form.text('clientSecret')}
        />
        <Save of={form} text={t.create} />
      </Form>
    </Dialog>
  )
}
