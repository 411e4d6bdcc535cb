// The questionnaire: finds out what is served here, then lets App ask.
import { render } from 'preact';
import '../parts/style.css';
import './ask.css';
import { App } from './App.jsx';
import { reportErrors } from './errors.js';

reportErrors();
render(<App />, document.getElementById('page'));
