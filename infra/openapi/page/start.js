// Starts the renderer; `Scalar` is its global, and `SETTINGS` comes from page.ts.
const url = new URL('../openapi.json', document.currentScript.src).href;
let reference;
const offer = Object.assign(document.createElement('button'), { className: 'use-token', type: 'button' });
// An empty field sends no header, so that the browser authenticates with its cookie.
const onBeforeRequest = ({ request }) => {
  if (/^Bearer\s*$/.test(request.headers.get('authorization') ?? '')) request.headers.delete('authorization');
  offer.remove();
};
const onResponseReceived = async ({ request, response }) => {
  if (!response.ok || !request.url.endsWith(SETTINGS.loginPath)) return;
  const { data } = await response.clone().json();
  offer.textContent = 'Use this token';
  offer.onclick = () => {
    const { authentication, ...others } = reference.getConfiguration();
    const securitySchemes = { ...authentication.securitySchemes, session: { token: data.JWTtoken } };
    reference.updateConfiguration({ ...others, authentication: { ...authentication, securitySchemes } });
    // A token in a field would take precedence.
    for (const field of document.querySelectorAll('input[placeholder=Token]')) {
      field.value = data.JWTtoken;
      field.dispatchEvent(new Event('input', { bubbles: true }));
    }
    offer.textContent = 'Requests now use this token';
    setTimeout(() => offer.remove(), 3000);
  };
  document.querySelector('[role=dialog]').append(offer);
};
fetch(url)
  .then((response) => response.text())
  .then((text) => {
    const content = text.replaceAll(SETTINGS.exampleUrl, new URL('../..', url).href.replace(/\/$/, ''));
    const options = { content, onBeforeRequest, onResponseReceived, ...SETTINGS.options };
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
