const button = document.querySelector('[aria-controls="password"]');
const field = document.getElementById('password');
button.hidden = false;
button.addEventListener('click', () => {
  const shown = field.type === 'text';
  field.type = shown ? 'password' : 'text';
  button.setAttribute('aria-label', shown ? 'Show password' : 'Hide password');
  button.firstElementChild.textContent = shown ? 'Show' : 'Hide';
});
