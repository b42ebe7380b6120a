// Starts the renderer; `Scalar` is its global, and `SETTINGS` comes from page.ts.
const url = new URL('../openapi.json', document.currentScript.src).href;
const base = new URL('../..', url).href.replace(/\/+$/, '');
/** Gives each example of the greeting this instance's URL and a button that copies it. */
for (const example of document.querySelectorAll('.welcome pre')) {
  example.firstChild.textContent = example.textContent.replaceAll(SETTINGS.exampleUrl, base);
  const button = Object.assign(document.createElement('button'), { type: 'button', textContent: 'Copy' });
  button.setAttribute('aria-live', 'polite');
  button.setAttribute('aria-description', example.ariaLabel);
  button.onclick = async () => {
    getSelection().selectAllChildren(example);
    // Without https, browsers let nobody write to the clipboard.
    button.textContent =
      (await navigator.clipboard?.writeText(example.textContent).then(
        () => 'Copied',
        () => 'Selected',
      )) ?? 'Selected';
    setTimeout(() => (button.textContent = 'Copy'), 2000);
  };
  example.before(button);
}
let reference;
const offer = Object.assign(document.createElement('div'), { className: 'use-token', role: 'status' });
/** The header that the form filled in for the last request. */
let filledIn;
/** A header in place of what the form fills in, until its credential changes. */
let used;
const onRequestBuilt = ({ request: { headers } }) => {
  offer.remove();
  filledIn = headers.get('authorization');
  if (filledIn !== used?.inPlaceOf) used = undefined;
  if (used) headers.set('authorization', used.authorization);
  // An empty field sends no header, so that the browser authenticates with its cookie.
  else if (/^Bearer\s*$/.test(filledIn)) headers.delete('authorization');
};
const use = ({ scheme, authorization, placeholder }, secret) => {
  used = { inPlaceOf: filledIn, authorization: authorization + secret };
  const { authentication, ...others } = reference.getConfiguration();
  const value = scheme === 'session' ? { token: secret } : { value: used.authorization };
  const securitySchemes = { ...authentication.securitySchemes, [scheme]: value };
  reference.updateConfiguration({
    ...others,
    authentication: { ...authentication, preferredSecurityScheme: scheme, securitySchemes },
  });
  // What was once in a field of the scheme takes precedence; the field appears with the scheme.
  requestAnimationFrame(() => {
    for (const field of document.querySelectorAll(`input[placeholder=${placeholder}]`)) {
      field.value = value.token ?? value.value;
      field.dispatchEvent(new Event('input', { bubbles: true }));
    }
  });
  document.querySelector('[role=dialog]').focus();
  // It stays until the next request: a timer would also take away a later offer.
  offer.textContent = 'Requests now use this token';
};
const onResponseReceived = async ({ request, response }) => {
  const credential = SETTINGS.credentials.find(({ path }) => request.url === base + path);
  if (!credential || !response.ok) return;
  const { data } = await response.clone().json();
  const button = Object.assign(document.createElement('button'), {
    textContent: 'Use this token',
    type: 'button',
    onclick: () => use(credential, data[credential.property]),
  });
  document.querySelector('[role=dialog]').append(offer);
  offer.replaceChildren(button);
};
fetch(url)
  .then((response) => response.text())
  .then((text) => {
    // Requests of the page may go to its own origin only, under whichever name it was opened.
    const servers = [{ url: base, description: 'This instance' }];
    const content = { ...JSON.parse(text.replaceAll(SETTINGS.exampleUrl, base)), servers };
    const options = { content, onRequestBuilt, onResponseReceived, ...SETTINGS.options };
    reference = Scalar.createApiReference('#docs', options);
  });
const complete = () => {
  for (const [selector, attributes] of Object.entries(SETTINGS.attributes))
    for (const element of document.querySelectorAll(selector))
      for (const [name, value] of Object.entries(attributes))
        if (value === null) element.removeAttribute(name);
        else element.setAttribute(name, value);
};
let due = false;
new MutationObserver(() => {
  if (due) return;
  due = true;
  requestAnimationFrame(() => {
    due = false;
    complete();
  });
}).observe(document.body, { childList: true, subtree: true });
